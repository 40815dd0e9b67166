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
class ExternalDocs:
    """A link to documentation elsewhere."""

    url: str
    doc: Doc


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """Annotations that assert nothing. ``secret``: the value is never to be shown (``x-wirebound-secret``). ``extensions`` are
    the ``x-…`` members as written."""

    deprecated: bool = False
    read_only: bool = False
    write_only: bool = False
    secret: bool = False
    external_docs: ExternalDocs | None = None
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
    """A regular expression as the contract spells it (ECMA-262, flag u; unanchored). ``format``: it is what a format says that
    is asserted."""

    source: str
    format: str | None = None
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
    """No JSON value: the false schema, or assertions that contradict each other, one at ``origin`` and one ``against`` it."""

    origin: Origin
    against: Origin | None = None


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
    """The type of another definition. ``origin`` is the place of the reference. ``partial``: documents hold a shell here, whose
    required members may be absent but for the tag, unless the receiver rejects (``x-wirebound-partial``)."""

    key: Key
    origin: Origin
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf:
    """``doc``: what each item is, as the contract says it; types that differ in it alone are equal."""

    item: Type
    min_items: Limit | None = None
    max_items: Limit | None = None
    doc: Doc = field(default_factory=Doc, compare=False)
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleOf:
    """Positional ``items``, then any number of ``rest`` (None: any JSON). Without ``min_items`` any prefix may be missing.
    ``docs``: what the item at each position is, then what the rest is, as in ``ListOf``."""

    items: tuple[Type, ...]
    rest: Type | None = None
    min_items: Limit | None = None
    max_items: Limit | None = None
    docs: tuple[Doc, ...] = field(default=(), compare=False)
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

    def sent(self, direction: Direction) -> bool:
        """Whether the member belongs into what travels in ``direction``: what is read only is not sent in requests, what is
        write only not in responses (OpenAPI 3.0.4, 4.7.24.2; JSON Schema 2020-12 validation, 9.4)."""
        return not (self.notes.read_only if direction == "request" else self.notes.write_only)

    def required_in(self, direction: Direction) -> bool:
        """Whether the member is demanded of what travels in ``direction``: ``required`` holds where the member is sent."""
        return self.required and self.sent(direction)


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
    """A named choice. ``stream``: its values are the events of a stream, and ``fold`` says what they add up to."""

    key: Key
    name: Name
    doc: Doc
    notes: Notes
    choice: Choice
    checks: tuple[Check, ...] = ()
    stream: EventStream | None = None
    fold: Fold | None = None
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


# --- operations -------------------------------------------------------------------------------------------------------
# As OpenAPI says it (3.2.0, 4.8 to 4.29). Pointers below are JSON Pointers into documents that travel, not into the contract.

Direction: TypeAlias = Literal["request", "response"]
ParameterPlace: TypeAlias = Literal["path", "query", "querystring", "header", "cookie"]
Style: TypeAlias = Literal[
    "simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject", "cookie"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A group of operations. ``parent`` names the tag that this one is under, ``kind`` says what it is for ("nav")."""

    name: str
    summary: str = ""
    doc: Doc
    parent: str = ""
    kind: str = ""
    external_docs: ExternalDocs | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVariable:
    """What ``{name}`` in a server's URL stands for. ``values``: all that it may be; empty where it is free."""

    name: str
    default: str
    values: tuple[str, ...] = ()
    doc: Doc
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """``url`` as written, with ``{name}`` for each variable; it may be relative to where the contract is."""

    url: str
    name: str = ""
    variables: tuple[ServerVariable, ...] = ()
    doc: Doc
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """A way to get a token by OAuth 2; empty texts where the way has no such URL. ``scopes``: name and what it permits."""

    kind: Literal["implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization"]
    authorization_url: str = ""
    device_authorization_url: str = ""
    token_url: str = ""
    refresh_url: str = ""
    scopes: tuple[tuple[str, str], ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityScheme:
    """How a caller shows who it is. ``apiKey``: the value of ``parameter`` in ``place``. ``http``: the authentication
    ``scheme`` of the Authorization header, in lower case. ``url``: of the OpenID Connect discovery or OAuth 2 metadata.
    """

    name: str
    kind: Literal["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"]
    place: Literal["query", "header", "cookie"] | None = None
    parameter: str = ""
    scheme: str = ""
    bearer_format: str = ""
    flows: tuple[Flow, ...] = ()
    url: str = ""
    doc: Doc
    notes: Notes
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """Schemes that are needed together, each with the scopes that it must grant. No scheme: none is needed."""

    schemes: tuple[tuple[str, tuple[str, ...]], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example by name. ``value``: as a value, if it is given so; ``text``: as it travels; ``url``: where it is."""

    name: str
    summary: str = ""
    doc: Doc
    value: Default | None = None
    text: str | None = None
    url: str = ""
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How a member of a form is sent: ``media_types`` of a part, or ``style`` and ``explode`` as of a parameter in the query.
    A ``member`` that is a number is a position in a body of parts without names; "*" stands for those that follow.
    ``parts``: how the parts of a part that is a form itself are sent.
    """

    member: str
    media_types: tuple[str, ...] = ()
    headers: tuple[Header, ...] = ()
    style: Style | None = None
    explode: bool = False
    allow_reserved: bool = False
    parts: tuple[Encoding, ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCase:
    """What the data of server-sent events holds, once its text is read as JSON. ``event``: their name (None: whatever name)."""

    event: str | None
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """One form of a body, by its media type (or range) as written.

    ``type`` is what the whole body is (None: the contract does not say), ``item`` what each item of a streamed body is: of
    ``text/event-stream`` a whole server-sent event, whose data ``events`` types (the frame is judged then, and never built).
    ``direction`` decides which members are sent and demanded (``Field.sent``, ``Field.required_in``), at whatever depth; the
    types are those of both directions.
    """

    media_type: str
    direction: Direction
    type: Type | None = None
    item: Type | None = None
    events: tuple[EventCase, ...] = ()
    encodings: tuple[Encoding, ...] = ()
    examples: tuple[Example, ...] = ()
    notes: Notes
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of an operation, written by ``style`` and ``explode``, or as ``content`` says (``style`` is None then)."""

    name: str
    place: ParameterPlace
    required: bool = False
    type: Type
    style: Style | None = None
    explode: bool = False
    allow_reserved: bool = False
    allow_empty: bool = False
    content: Content | None = None
    default: Default | None = None
    examples: tuple[Example, ...] = ()
    doc: Doc
    notes: Notes
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A header of a response or of a part; written as a parameter in a header is."""

    name: str
    required: bool = False
    type: Type
    explode: bool = False
    content: Content | None = None
    examples: tuple[Example, ...] = ()
    doc: Doc
    notes: Notes
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What a request carries, in one of several forms."""

    required: bool
    contents: tuple[Content, ...]
    doc: Doc
    notes: Notes
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseLink:
    """What can be done with a response: ``operation`` called with ``parameters`` and ``body``, which may be runtime
    expressions. ``operation`` is None where it is not in the contract; ``written`` is how the contract refers to it."""

    name: str
    operation: Key | None
    written: str
    parameters: tuple[tuple[str, JsonValue], ...] = field(default=(), hash=False)
    body: Default | None = None
    server: Server | None = None
    doc: Doc
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What an operation answers with. ``status``: three digits, a class such as "4XX", or "default" for all others."""

    status: str
    contents: tuple[Content, ...] = ()
    headers: tuple[Header, ...] = ()
    links: tuple[ResponseLink, ...] = ()
    summary: str = ""
    doc: Doc
    notes: Notes
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class PathText:
    """A piece of a path as it stands."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PathSlot:
    """The place of a parameter in a path."""

    parameter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked of a server; or, of a webhook or callback, that a server asks.

    ``method`` is in capitals, ``path`` as written and ``parts`` taken apart, without server. ``role``: a webhook has its name
    as ``path``, a callback a runtime expression, and ``parts`` are empty then; ``within`` is the operation whose callback it
    is. ``security``: one of these suffices; empty where nothing is said. ``name.source`` is "derived" without ``operationId``.
    """

    key: Key
    name: Name
    role: Literal["call", "webhook", "callback"] = "call"
    method: str
    path: str
    parts: tuple[PathText | PathSlot, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    responses: tuple[Response, ...] = ()
    security: tuple[Requirement, ...] = ()
    servers: tuple[Server, ...] = ()
    tags: tuple[str, ...] = ()
    within: Key | None = None
    summary: Doc
    doc: Doc
    notes: Notes
    streaming: Streaming | None = None
    page: Page | None = None
    signature: Signature | None = None
    origin: Origin


# --- what a contract says of an API's behaviour (x-wirebound-…) -------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamError:
    """Events with the tag ``event`` report failure; ``code`` and ``message`` point into them. ``bare``: a line of the stream
    that is no field and reads as an object with this member is such an event without its tag."""

    event: str
    code: str | None = None
    message: str | None = None
    bare: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStream:
    """How a stream of events runs. It is complete after an event with one of the tags ``terminal``, or with the data ``done``;
    ``event_id`` points to the id of an event, by which a stream is resumed (None: the id of the frame)."""

    terminal: tuple[str, ...]
    done: str | None = None
    event_id: str | None = None
    error: StreamError | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a fold: ``action`` on what is at ``target`` in the result, with the value at ``source`` in the event.

    In ``target``, ``{name}`` stands for the event's member ``name`` (a position in a list) and ``-1`` for the last item.
    ``keep``: members that ``merge`` leaves alone if they are there. ``same``: the member in which target and value must agree.
    ``texts``: members that ``join`` adds to.
    """

    action: Literal["set", "merge", "append", "extend", "join", "gather", "parse"]
    target: str
    source: str | None = None
    keep: tuple[str, ...] = ()
    same: str | None = None
    texts: tuple[str, ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """What one event adds: ``always``, or the steps for the value at ``by`` in the event, or ``otherwise``."""

    always: tuple[Step, ...] = ()
    by: str | None = None
    cases: tuple[tuple[str, tuple[Step, ...]], ...] = ()
    otherwise: tuple[Step, ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """What the events of a stream add up to: a ``result``, by the steps for each tag."""

    result: Key
    events: tuple[tuple[str, Steps], ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """How a stream that broke off goes on: ``operation``, with the last event's id as ``after`` and its other parameters by
    runtime expressions (OpenAPI's, and ``$event#/pointer``: the first event that has a value there)."""

    operation: Key
    after: str
    parameters: tuple[tuple[str, str], ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Streaming:
    """An operation can answer with a stream: when the boolean ``ask`` in ``ask_in`` is true (None: it always does)."""

    ask: str | None = None
    ask_in: Literal["body", "query"] | None = None
    resume: Resume | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A list comes in pages: the list at ``items`` of a response, the token of the next page at ``next``, to be sent as the
    parameter ``token``; the parameter ``size`` limits a page."""

    items: str
    next: str
    token: str
    size: str | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a webhook receives is signed: by which ``scheme``, and how old it may be in seconds."""

    scheme: Literal["standard-webhooks"]
    tolerance: int
    origin: Origin


# --- the whole --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A whole contract. ``definitions`` are in contract order, judged-only shapes after the public ones; so are ``operations``,
    calls before webhooks, callbacks behind what they belong to.

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
    operations: tuple[Operation, ...] = ()
    servers: tuple[Server, ...] = ()
    security: tuple[SecurityScheme, ...] = ()
    tags: tuple[Tag, ...] = ()
    external_docs: ExternalDocs | None = None
    origin: Origin

    def table(self) -> dict[Key, Definition]:
        """Definitions by key."""
        return {definition.key: definition for definition in self.definitions}
