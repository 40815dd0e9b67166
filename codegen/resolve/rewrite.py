"""Types and checks, a function → the same trees with each type replaced, innermost first.

Must not decide anything: it only knows where types sit inside the model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from codegen.model import (
    Alias,
    All,
    Any,
    Check,
    Checked,
    Choice,
    Contains,
    Content,
    Definition,
    Each,
    Encoding,
    Enum,
    ExactlyOne,
    Extras,
    Field,
    Header,
    If,
    Is,
    ListOf,
    MapOf,
    NonNull,
    Not,
    Nullable,
    Operation,
    Record,
    Seen,
    TupleOf,
    Type,
    Typed,
    Unevaluated,
    Union,
    When,
)

Rewrite = Callable[[Type], Type]


def in_type(type_: Type, rewrite: Rewrite) -> Type:
    """``type_`` with ``rewrite`` applied to each type inside it and then to itself."""
    match type_:
        case ListOf(item=item):
            new = in_type(item, rewrite)
            if new is not item:
                type_ = replace(type_, item=new)
        case TupleOf(items=items, rest=rest):
            type_ = replace(
                type_,
                items=tuple(in_type(item, rewrite) for item in items),
                rest=None if rest is None else in_type(rest, rewrite),
            )
        case MapOf(value=value):
            new = in_type(value, rewrite)
            if new is not value:
                type_ = replace(type_, value=new)
        case Nullable(inner=inner) | NonNull(inner=inner):
            new = in_type(inner, rewrite)
            if new is not inner:
                type_ = replace(type_, inner=new)
        case Checked(inner=inner, checks=checks):
            type_ = replace(type_, inner=in_type(inner, rewrite), checks=in_checks(checks, rewrite))
        case Choice():
            type_ = in_choice(type_, rewrite)
        case _:
            pass
    return rewrite(type_)


def in_choice(choice: Choice, rewrite: Rewrite) -> Choice:
    """``choice`` with its members rewritten; the choice itself is left to the caller."""
    members = tuple(replace(member, type=in_type(member.type, rewrite)) for member in choice.members)
    return replace(choice, members=members, rest=members[-1].type if choice.rest is not None else None)


def in_checks(checks: tuple[Check, ...], rewrite: Rewrite) -> tuple[Check, ...]:
    """``checks`` with every operand type rewritten."""
    return tuple(in_check(check, rewrite) for check in checks)


def in_check(check: Check, rewrite: Rewrite) -> Check:
    """``check`` with every operand type rewritten."""
    match check:
        case Is(type=type_) | Contains(type=type_):
            return replace(check, type=in_type(type_, rewrite))
        case Unevaluated(type=type_, seen=seen):
            return replace(check, type=in_type(type_, rewrite), seen=_in_seen(seen, rewrite))
        case Not(check=inner) | When(check=inner) | Each(check=inner):
            return replace(check, check=in_check(inner, rewrite))
        case All(checks=checks) | Any(checks=checks) | ExactlyOne(checks=checks):
            return replace(check, checks=in_checks(checks, rewrite))
        case If(condition=condition, then=then, otherwise=otherwise):
            return replace(
                check,
                condition=in_check(condition, rewrite),
                then=None if then is None else in_check(then, rewrite),
                otherwise=None if otherwise is None else in_check(otherwise, rewrite),
            )
        case _:
            return check


def _in_seen(seen: tuple[Seen, ...], rewrite: Rewrite) -> tuple[Seen, ...]:
    return tuple(
        replace(
            part,
            when=None if part.when is None else in_check(part.when, rewrite),
            matching=None if part.matching is None else in_type(part.matching, rewrite),
            inner=_in_seen(part.inner, rewrite),
        )
        for part in seen
    )


def in_extras(extras: Extras, rewrite: Rewrite) -> Extras:
    """``extras`` with the types of undeclared members rewritten."""
    patterns = tuple((pattern, in_type(type_, rewrite)) for pattern, type_ in extras.patterns)
    if isinstance(extras, Typed):
        return replace(extras, value=in_type(extras.value, rewrite), patterns=patterns)
    return replace(extras, patterns=patterns)


def _in_field(field: Field, rewrite: Rewrite) -> Field:
    type_ = in_type(field.type, rewrite)
    return field if type_ is field.type else replace(field, type=type_)


def in_definition(definition: Definition, rewrite: Rewrite) -> Definition:
    """``definition`` with every type in it rewritten. A union's own choice is rewritten inside, and kept a choice."""
    checks = in_checks(definition.checks, rewrite)
    match definition:
        case Record(fields=fields, extras=extras):
            return replace(
                definition,
                fields=tuple(_in_field(field, rewrite) for field in fields),
                extras=in_extras(extras, rewrite),
                checks=checks,
            )
        case Enum(open=open_type):
            return replace(definition, open=None if open_type is None else in_type(open_type, rewrite), checks=checks)
        case Union(choice=choice):
            return replace(definition, choice=in_choice(choice, rewrite), checks=checks)
        case Alias(type=type_):
            return replace(definition, type=in_type(type_, rewrite), checks=checks)


# --- operations -------------------------------------------------------------------------------------------------------


def in_operation(operation: Operation, rewrite: Rewrite) -> Operation:
    """``operation`` with every type that travels with it rewritten."""
    return replace(
        operation,
        parameters=tuple(
            replace(
                parameter,
                type=in_type(parameter.type, rewrite),
                content=None if parameter.content is None else _in_content(parameter.content, rewrite),
            )
            for parameter in operation.parameters
        ),
        body=(
            None
            if operation.body is None
            else replace(operation.body, contents=_in_contents(operation.body.contents, rewrite))
        ),
        responses=tuple(
            replace(
                response,
                contents=_in_contents(response.contents, rewrite),
                headers=_in_headers(response.headers, rewrite),
            )
            for response in operation.responses
        ),
    )


def _in_contents(contents: tuple[Content, ...], rewrite: Rewrite) -> tuple[Content, ...]:
    return tuple(_in_content(content, rewrite) for content in contents)


def _in_content(content: Content, rewrite: Rewrite) -> Content:
    return replace(
        content,
        type=None if content.type is None else in_type(content.type, rewrite),
        item=None if content.item is None else in_type(content.item, rewrite),
        events=tuple(replace(case, type=in_type(case.type, rewrite)) for case in content.events),
        encodings=_in_encodings(content.encodings, rewrite),
    )


def _in_encodings(encodings: tuple[Encoding, ...], rewrite: Rewrite) -> tuple[Encoding, ...]:
    return tuple(
        replace(encoding, headers=_in_headers(encoding.headers, rewrite), parts=_in_encodings(encoding.parts, rewrite))
        for encoding in encodings
    )


def _in_headers(headers: tuple[Header, ...], rewrite: Rewrite) -> tuple[Header, ...]:
    return tuple(
        replace(
            header,
            type=in_type(header.type, rewrite),
            content=None if header.content is None else _in_content(header.content, rewrite),
        )
        for header in headers
    )
