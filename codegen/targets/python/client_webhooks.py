"""Signed webhooks → the view of ``webhooks.py``: one function for each, which verifies a delivery and then reads it.

Must not verify anything (``_support`` does): a function says what is signed, how old it may be, and what is in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.edition import Edition
from codegen.model import Operation, Signature
from codegen.targets import layout, naming, quoting
from codegen.targets.python import docs
from codegen.targets.python.client_forms import Forms, is_json
from codegen.targets.python.models import PROSE
from codegen.targets.python.names import safe

OURS = frozenset({"verify", "models", "codecs"})
"""Names that mean something else in the module."""


@dataclass(frozen=True, slots=True)
class ReceiverView:
    """One function; ``codec`` is empty where a delivery has no body."""

    name: str
    result: str
    doc: str
    tolerance: str
    codec: str


@dataclass(frozen=True, slots=True)
class WebhooksView:
    """``webhooks.py``."""

    banner: str
    doc: str
    imports: tuple[str, ...]
    exported: str
    items: tuple[ReceiverView, ...]


class Webhooks:
    """Plans the receivers of one edition; ``forms`` is told what types they read."""

    def __init__(self, edition: Edition, forms: Forms) -> None:
        self.forms, self.history = forms, edition.history
        signed = [(o, o.signature) for o in edition.model.operations if o.role == "webhook" and o.signature is not None]
        names = naming.assigned(
            ((operation.name.spelled, "") for operation, _ in signed), naming.snake, lambda name: safe(name, OURS)
        )
        self.receivers = [self._receiver(o, signature, names[o.name.spelled]) for o, signature in signed]

    def _receiver(self, operation: Operation, signature: Signature, name: str) -> ReceiverView:
        contents = operation.body.contents if operation.body is not None else ()
        form = next((self.forms.codec(name, "delivery", c) for c in contents if is_json(c.media_type)), None)
        if contents and form is None:
            self.forms.refuse(
                f"no form of the delivery can be read: {', '.join(content.media_type for content in contents)}",
                operation.origin,
                "describe the body as application/json",
            )
        past = self.history.of_operation(operation.key)
        said = docs.paragraphs(
            [
                operation.summary.source.rstrip(".") + "." if operation.summary.source else "",
                docs.said(operation.doc, operation.notes, past),
                "``body`` are the bytes as they came, ``headers`` those of the request. Raises ``SignatureError`` for what is"
                f" not signed with one of ``secrets``, or more than {signature.tolerance} seconds off, and ``DecodeError``.",
                docs.became(past),
            ]
        )
        return ReceiverView(
            name=name,
            result="None" if form is None else layout.flat(form.annotation),
            doc=quoting.docstring(said, 4, PROSE),
            tolerance=str(signature.tolerance),
            codec="" if form is None else form.expression,
        )

    def view(self, banner: str, title: str) -> WebhooksView:
        """``webhooks.py``."""
        text = "\n".join(f"{item.result} {item.codec}" for item in self.receivers)
        always = [("collections.abc", "Mapping"), ("._support", "Finding"), ("._support", "Receive")]
        always += [("._support.signing", name) for name in ("Secrets", "SignatureError", "verify")]
        always += [(".", name) for name in ("codecs", "models") if f"{name}." in text]
        exported = sorted(["Secrets", "SignatureError", *(item.name for item in self.receivers)])
        banner += "\n# pyright: reportPrivateUsage=false" if f"codecs.{self.forms.mark}" in text else ""
        return WebhooksView(
            banner=banner,
            doc=quoting.docstring(f"Webhooks of {title}: deliveries are verified first, and then read.", 0, PROSE),
            imports=tuple(self.forms.scope.imported(text, *always)),
            exported=layout.listed("__all__ = [", [quoting.text(name) for name in exported], "]"),
            items=tuple(self.receivers),
        )
