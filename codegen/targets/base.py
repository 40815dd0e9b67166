"""What every target is: a pure function from an edition and its options to renderings.

Must not open disk or Jinja: ``render`` and ``output`` do, once for all targets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from codegen.edition import Edition


@dataclass(frozen=True, slots=True)
class Rendering:
    """A file to be made from ``template`` (``<target>/<file>.j2``) and ``view``, a dataclass of ready strings.

    ``path`` is relative to the job's folder, with forward slashes.
    """

    path: str
    template: str
    view: object


@dataclass(frozen=True, slots=True)
class Raw:
    """A file whose bytes are ready."""

    path: str
    content: bytes


class Target(Protocol):
    """One kind of output. ``Options`` is a frozen dataclass with a default for every field; unknown options are refused.

    A target that brings templates of its own has their folder as ``templates``, a Path; in it they lie as built-in ones do.
    One whose output people program against has ``surface(edition, options) -> Mapping[str, str]``: every public name, and
    what is promised about it, as alternatives with `` | `` between them. Equal texts promise the same; a text that ends with
    ``= …`` says what stands where nothing is given. Programs only hand in what a text that begins with ``takes`` is about,
    and only receive what one with ``gives`` is about.
    """

    name: str
    Options: type[Any]

    def files(self, edition: Edition, options: Any) -> Iterable[Rendering | Raw]:
        """The files of one job for one version. Raises ``OutputError`` for names that the target cannot write."""
        ...
