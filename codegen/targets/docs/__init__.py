"""Edition and language → the views of the reference: what every format of it shows, in neutral runs of text.

Must not know a format: ``markdown`` and ``site`` write the same views, so that no fact about a contract is found out twice.
"""

from __future__ import annotations
