"""A contract and its model → findings: what is legal and hurts.

Must not stop anything: what cannot be meant is a problem of the stages before. Each rule is a function of one module; a code
is stable, and has a folder in ``tests/lint``.
"""

from __future__ import annotations

from codegen.document import Contract
from codegen.errors import Problem
from codegen.facts import Facts
from codegen.lint import impossible, keywords, patterns, prose, unions, values
from codegen.lint.subject import Subject

CODES = {
    "exponential-pattern": "a pattern that some text makes slow without bound",
    "idle-annotation": "a format or an encoding of no type, which no binding shows",
    "ignored-keyword": "a keyword that has no effect where it stands",
    "impossible-schema": "assertions that exclude each other, so that no value is possible",
    "missing-type": 'keywords for one kind of value without "type", so that other kinds pass',
    "positional-name": "a public name that comes from a position",
    "refused-default": "a default that its own schema refuses",
    "refused-example": "an example that its own schema refuses",
    "refused-value": "a listed value that the rest of its schema refuses",
    "repeated-branch": "a branch that repeats another one",
    "repeated-value": "a value that an enum lists twice",
    "undeclared-required": "a required member that nothing declares",
    "undocumented-definition": "a definition without a description",
    "undocumented-field": "a field without a description",
    "untaggable-union": "a choice whose members have to be tried one after the other",
}
"""Each code, and what is found under it."""

RULES = (
    unions.untaggable,
    keywords.missing_type,
    keywords.ignored,
    keywords.idle_annotation,
    keywords.undeclared_required,
    keywords.repeated,
    impossible.impossible,
    values.refused,
    values.refused_values,
    patterns.exponential,
    prose.positional,
    prose.undocumented,
)


def lint(contract: Contract, facts: Facts) -> tuple[Problem, ...]:
    """What there is to say about a contract, in the order of its places; each thing once."""
    subject = Subject(contract, facts)
    found = {problem: contract.locate(problem.origin) for rule in RULES for problem in rule(subject)}
    return tuple(sorted(found, key=lambda problem: (problem.origin.document != "", *found[problem], problem.code)))
