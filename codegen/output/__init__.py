"""OUTPUT: files → a written set, or a comparison with what is there.

Must not know models, targets or templates. The only stage that writes, and it writes a whole run or nothing.
"""
