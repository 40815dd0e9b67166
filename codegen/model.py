"""The model of a contract: frozen classes, one per kind, and nothing else.

Must not know how contracts are spelled (``resolve`` interprets them) or what a language can say (``targets`` do).
Identity is the *place* (``Key``); a name is presentation. Types are finite trees whose leaves may be ``Ref``, so recursion
is ordinary. Types say what languages can say, never less than the contract accepts; ``Check`` values close the gap.

Every type carries an ``origin``: the place of the keyword that refuses a value of another kind. Each bound carries the
place of its own keyword, so that a bound merged from two schemas still names the one that refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from codegen.pointer import Origin

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonKind: TypeAlias = Literal["null", "boolean", "number", "string", "array", "object"]
JSON_KINDS: tuple[JsonKind, ...] = ("null", "boolean", "number", "string", "array", "object")


@dataclass(frozen=True, slots=True)
class Key:
    """Identity of a definition: its place, and the dynamic scope that gives the place its meaning (mostly empty).

    ``scope`` holds (dynamic anchor, "document#pointer" it is bound to), sorted by anchor (JSON Schema 2020-12 core, 8.2.3.2).
    ``part`` tells apart what one place defines beside itself: "object", the record among the kinds that the place admits;
    "own", its own assertions without those of its applicators; "within", a branch with the members of what it is a branch of.
    """

    document: str
    pointer: str
    scope: tuple[tuple[str, str], ...] = ()
    part: str = ""

    @property
    def origin(self) -> Origin:
        """The place without what tells its meanings apart."""
        return Origin(self.document, self.pointer)


# --- names and documentation ------------------------------------------------------------------------------------------

NameSource: TypeAlias = Literal["declared", "title", "derived", "configured", "pointer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A definition's name.

    ``spelled`` is the contract's (or derived) spelling: public, the key of codecs and anchors. ``words`` are its parts, from
    which targets make identifiers. ``source``: "pointer" marks a shape that is only judged, never built.
    """

    spelled: str
    words: tuple[str, ...]
    source: NameSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A run of plain prose inside a ``Doc``."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code span inside a ``Doc``."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A mention of a definition (or of one of its fields) inside a ``Doc``; ``text`` is what the author wrote."""

    text: str
    key: Key
    field: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """What the contract says about something.

    ``source`` is the description as written, ``summary`` its first sentence, ``body`` the whole as runs. ``anchor`` names the
    place in the reference page and keys translations.
    """

    source: str = ""
    summary: str = ""
    body: tuple[Prose | Code | Link, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """Annotations that assert nothing. ``extensions`` are the ``x-…`` members as written."""

    deprecated: bool = False
    read_only: bool = False
    write_only: bool = False
    examples: tuple[JsonValue, ...] = field(default=(), hash=False)
    extensions: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)


# --- types ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One bound. ``exclusive`` only on numbers. ``origin`` is its keyword's place."""

    value: int | float
    exclusive: bool = False
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A regular expression as the contract spells it (ECMA-262, flag u; unanchored)."""

    source: str
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A string. Lengths count code points. ``format``, ``encoding`` and ``media_type`` are annotations."""

    min_length: Limit | None = None
    max_length: Limit | None = None
    patterns: tuple[Pattern, ...] = ()
    format: str | None = None
    encoding: str | None = None
    media_type: str | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Integer:
    """A number without fraction. ``literal``: only integer literals count (draft-04, where 1.0 is no integer)."""

    minimum: Limit | None = None
    maximum: Limit | None = None
    literal: bool = False
    format: str | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """Any finite number."""

    minimum: Limit | None = None
    maximum: Limit | None = None
    format: str | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Boolean:
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Null:
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyJson:
    """Every JSON value."""

    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Never:
    """No JSON value: the false schema, or assertions that contradict each other."""

    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Literals:
    """One of ``values`` (any JSON values; equality is mathematical, ``true`` is no number). ``enum`` is the enum that a
    narrowed literal belongs to. ``kind_at``: the place of a ``type`` beside an ``enum``, which refuses values of other kinds
    first (None: they are refused like any other value)."""

    values: tuple[JsonValue, ...] = field(hash=False)  # JSON values are equal or not; lists and objects do not hash
    enum: Key | None = None
    kind_at: Origin | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """The type of another definition. ``origin`` is the place of the reference."""

    key: Key
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf:
    item: Type
    min_items: Limit | None = None
    max_items: Limit | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleOf:
    """Positional ``items``, then any number of ``rest`` (None: any JSON). Without ``min_items`` any prefix may be missing."""

    items: tuple[Type, ...]
    rest: Type | None = None
    min_items: Limit | None = None
    max_items: Limit | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOf:
    """An object whose member names are data. ``key_pattern``: names it does not match are refused (at ``closed``)."""

    value: Type
    key_pattern: Pattern | None = None
    closed: Origin | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Nullable:
    """``inner`` or null. ``origin``: the keyword that admits null."""

    inner: Type
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class NonNull:
    """``inner`` but not null, where ``inner`` accepts null. ``origin``: the keyword that excludes null."""

    inner: Type
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """``inner``, further narrowed by checks on the document's value."""

    inner: Type
    checks: tuple[Check, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Tag values that lead to one member, or to a further switch."""

    value: JsonValue = field(hash=False)
    to: int | Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A look-up by the value of a required member ``property``. ``Case.to`` is a member's position in ``Choice.members``.

    ``enum``: the enum whose values the tags are. ``stated``: by a discriminator; else derived from the members' literals.
    """

    property: str
    cases: tuple[Case, ...]
    enum: Key | None = None
    stated: bool = False
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class ByTag:
    switch: Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class ByKind:
    """Each JSON kind leads to one member (position in ``Choice.members``); kinds that are absent are refused. A pair of
    members that share kinds (a tagged choice beside null, say) is nested: one member is itself a choice."""

    cases: tuple[tuple[JsonKind, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ByKeys:
    """Objects only: the first name present leads to its member; ``otherwise`` when none is (None: refused)."""

    cases: tuple[tuple[str, int], ...]
    otherwise: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ByTrial:
    """Members are tried in contract order: the first that accepts (anyOf), or all, of which one must accept (oneOf)."""

    reason: str


Dispatch: TypeAlias = ByTag | ByKind | ByKeys | ByTrial


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    type: Type
    doc: Doc
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of several types. ``exclusive``: exactly one may accept (oneOf); else the first accepting member gives the value
    (anyOf). ``rest``: what other values are, in an open union (it is also the last of ``members``, so that a target that knows
    nothing of open unions stays right). ``origin``: the place of oneOf/anyOf (or of ``type`` for a choice by kind)."""

    members: tuple[Member, ...]
    exclusive: bool
    dispatch: Dispatch
    rest: Type | None = None
    origin: Origin


Scalar: TypeAlias = Text | Integer | Number | Boolean | Null
Type: TypeAlias = (
    Scalar | AnyJson | Never | Literals | Ref | ListOf | TupleOf | MapOf | Nullable | NonNull | Checked | Choice
)


# --- checks -----------------------------------------------------------------------------------------------------------
# A check passes for every value of a kind that it does not speak of, as JSON Schema's assertions do. ``origin`` is the
# keyword's place. Operands are ordinary types: they are judged, never built.


@dataclass(frozen=True, slots=True, kw_only=True)
class Is:
    type: Type
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    check: Check
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class All:
    checks: tuple[Check, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Any:
    checks: tuple[Check, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactlyOne:
    checks: tuple[Check, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class If:
    condition: Check
    then: Check | None
    otherwise: Check | None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Has:
    """An object has the member ``name``."""

    name: str
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """If an object has the member ``name``, ``check`` holds for the object."""

    name: str
    check: Check
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Each:
    """``check`` holds for each item of an array, each member name (as a string) or each member value of an object.

    ``pattern`` with "values": only members whose name it matches.
    """

    of: Literal["items", "names", "values"]
    check: Check
    pattern: Pattern | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Contains:
    """Between ``minimum`` and ``maximum`` (None: any number) items of an array are of ``type``."""

    type: Type
    minimum: Limit | None
    maximum: Limit | None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    of: Literal["members", "items"]
    minimum: Limit | None
    maximum: Limit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipleOf:
    """A number is a multiple of ``value``, in decimal arithmetic on the literals."""

    value: Decimal
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Unique:
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What adjacent keywords evaluate, when ``when`` passes (None: always).

    Members: ``names``, names matching ``patterns``. Items: the first ``prefix``, and those that are ``matching`` (contains).
    ``all``: every one. ``inner``: what nested applicators add, under ``when``.
    """

    when: Check | None = None
    names: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    prefix: int = 0
    matching: Type | None = None
    all: bool = False
    inner: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unevaluated:
    """Each member or item that nothing in ``seen`` evaluates is of ``type`` (JSON Schema 2020-12 core, 11)."""

    of: Literal["members", "items"]
    seen: tuple[Seen, ...]
    type: Type
    origin: Origin


Check: TypeAlias = (
    Is | Not | All | Any | ExactlyOne | If | Has | When | Each | Contains | Count | MultipleOf | Unique | Unevaluated
)


# --- definitions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """A wrapper, so that a default of null differs from no default."""

    value: JsonValue = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A declared member of a record.

    ``required_at``: the place of the ``required`` keyword that demands it, None when it is optional. ``declared_in``: the
    definition that declares it (the record itself or a mixin). ``narrows``: places of the declarations that this one narrows.
    """

    wire_name: str
    type: Type
    required_at: Origin | None = None
    default: Default | None = None
    doc: Doc
    notes: Notes
    declared_in: Key
    narrows: tuple[Origin, ...] = ()
    origin: Origin

    @property
    def required(self) -> bool:
        """Some ``required`` keyword demands the member."""
        return self.required_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """Undeclared members are refused. ``origin``: the keyword that closes."""

    patterns: tuple[tuple[Pattern, Type], ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Undeclared members hold any JSON value."""

    patterns: tuple[tuple[Pattern, Type], ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Undeclared members are of ``value``."""

    value: Type
    patterns: tuple[tuple[Pattern, Type], ...] = ()
    origin: Origin


# ``patterns``: undeclared members whose name matches are of that type (all that match), and not judged by the rest.
Extras: TypeAlias = Closed | Open | Typed


@dataclass(frozen=True, slots=True, kw_only=True)
class MixinUse:
    key: Key
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An object with declared members, flat: mixin fields first in composition order, own fields after. A value of another
    kind is refused at ``kind_at``."""

    key: Key
    name: Name
    doc: Doc
    notes: Notes
    fields: tuple[Field, ...]
    extras: Extras
    mixins: tuple[MixinUse, ...] = ()
    is_mixin: bool = False
    checks: tuple[Check, ...] = ()
    kind_at: Origin
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumValue:
    value: str | int
    name: Name
    doc: Doc
    notes: Notes
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """Named strings or integers. ``open``: other values of ``base`` are legal too. ``origin``: the place of the schema;
    ``values_at``: the place of the keyword that lists the values; ``kind_at``: as in ``Literals``."""

    key: Key
    name: Name
    doc: Doc
    notes: Notes
    base: Literal["string", "integer"]
    values: tuple[EnumValue, ...]
    open: Type | None = None
    checks: tuple[Check, ...] = ()
    kind_at: Origin | None = None
    values_at: Origin
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """A named choice."""

    key: Key
    name: Name
    doc: Doc
    notes: Notes
    choice: Choice
    checks: tuple[Check, ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name for a type."""

    key: Key
    name: Name
    doc: Doc
    notes: Notes
    type: Type
    checks: tuple[Check, ...] = ()
    origin: Origin


Definition: TypeAlias = Record | Enum | Union | Alias


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A whole contract. ``definitions`` are in contract order, judged-only shapes after the public ones.

    ``root`` is the type that the document itself asserts (None: OpenAPI, where no value is the root). ``digest`` is the
    SHA-256 of the contract's bytes, in hex.
    """

    id: str
    version: str
    title: str
    digest: str
    doc: Doc
    root: Type | None
    definitions: tuple[Definition, ...]
    origin: Origin

    def table(self) -> dict[Key, Definition]:
        """Definitions by key."""
        return {definition.key: definition for definition in self.definitions}
