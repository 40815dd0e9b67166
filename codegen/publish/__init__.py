"""A project's files → distributions that are built, judged, proven and sent.

Must not know how the files are made, and keeps nothing on disk. Other tools do the work of each step: this package gives them
what they need, and says in one way what they found.
"""
