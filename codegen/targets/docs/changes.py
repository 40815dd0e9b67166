"""A release → what changed in it, in runs: for a page of the site, and for changelogs.

Must not judge: groups and steps come with the history. A place is a link where there is an anchor for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codegen.history import GROUPS, Note, Release
from codegen.targets.docs.text import Code, Link, Plain, Run, Runs, Speech, joined

LONGEST = 120
"""Characters of a type or a value that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """Changes of one group, each in one line."""

    id: str
    title: str
    entries: tuple[Runs, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesView:
    """What a release changed; ``about`` says since when, and by which step the contract grew."""

    version: str
    before: str
    title: str
    about: str
    groups: tuple[GroupView, ...]


def changes(release: Release, speech: Speech, anchors: Mapping[str, str]) -> ChangesView:
    """``release`` in the fixed words of a language. ``anchors``: what can be linked, by name, as ``Anchors.names`` has it."""
    return _Teller(speech, anchors).view(release)


class _Teller:
    def __init__(self, speech: Speech, anchors: Mapping[str, str]) -> None:
        self.speech = speech
        self.anchors = anchors

    def view(self, release: Release) -> ChangesView:
        text = self.speech.text
        return ChangesView(
            version=release.version,
            before=release.before,
            title=text("changes.title", version=release.version),
            about=text("changes.about", before=release.before, step=text(f"changes.step_{release.step}")),
            groups=tuple(
                GroupView(id=group, title=text(f"changes.{group}"), entries=tuple(map(self.entry, notes)))
                for group in GROUPS
                if (notes := release.of(group))
            ),
        )

    def entry(self, note: Note) -> Runs:
        """One change."""
        return (*self.place(note), Plain(": "), *self.what(note), *self.rest(note))

    def place(self, note: Note) -> Runs:
        """Where it is."""
        whole = note.definition
        if note.path:
            whole += note.path if note.path[0] in "[{" or not whole else f".{note.path}"
        anchor = self.anchors.get(f"{note.definition}.{note.field}") if note.field else None
        anchor = anchor or self.anchors.get(note.definition)
        shown = whole or self.speech.text("changes.root")
        return (Link(shown, f"#{anchor}", code=True),) if anchor else (Code(shown),)

    def what(self, note: Note) -> Runs:
        """What became of it."""
        what: Runs = self.speech.say(f"change.{note.kind}")
        if note.group == "described":
            return what
        before, after = (_cut(text) for text in (note.before, note.after))
        if (before and after) or ((before or after) and note.kind.endswith("-changed")):
            runs = [(Code(text),) if text else (Plain("—"),) for text in (before, after)]
            return self.speech.say("changes.from_to", what=what, before=runs[0], after=runs[1])
        if before or after:
            return self.speech.say("changes.with", what=what, value=(Code(before or after),))
        return what

    def rest(self, note: Note) -> Iterator[Run]:
        """Whom it breaks, and where else it shows."""
        if note.breaks:
            who = joined(((Plain(self.speech.text(f"changes.for_{axis}")),) for axis in note.breaks), ", ")
            yield from (Plain(" "), *self.speech.say("changes.breaks", who=who))
        if note.shared:
            names = joined((self.link(name) for name in note.shared), ", ")
            yield from (Plain(" "), *self.speech.say("changes.shared", names=names))

    def link(self, name: str) -> Runs:
        """A definition by name."""
        anchor = self.anchors.get(name)
        return (Link(name, f"#{anchor}", code=True),) if anchor else (Code(name),)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
