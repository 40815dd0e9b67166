"""Editions of all contracts → a site: HTML pages with their Markdown twins, indexes for people, programs and other sites.

Must not find out anything about a contract (``docs`` does), run a program or open Jinja. What has to be made by running
something, examples judged and code made from them, comes ready in a ``Volume``.
"""

from __future__ import annotations

from codegen.targets.site.volume import Example, Settings, Snippet, Volume

__all__ = ["Example", "Settings", "Snippet", "Volume"]
