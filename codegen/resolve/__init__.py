"""INTERPRET: Document → Model. What a schema means is decided here and nowhere else.

Must not read files (``document`` does) or know a language (``targets`` do). One module per concern: ``flatten`` gathers what
holds at one place, ``kinds`` turns it into types, ``records`` into objects, ``choices`` into unions, ``checks`` into checks;
``operations`` reads what an OpenAPI description says beside its schemas. ``dispatch`` then proves how unions are told apart,
``behaviour`` reads what is stated of streams and the like, and ``names`` says what everything is called.
"""

from __future__ import annotations

from codegen.document import Contract
from codegen.errors import ContractError
from codegen.ledger import Ledger
from codegen.model import Model
from codegen.outline import Outline
from codegen.resolve import behaviour, dispatch, endless, expressions, names
from codegen.resolve.interpret import Interpreter


def resolve(
    contract: Contract, *, outline: Outline | None = None, ledger: Ledger | None = None, version: str = ""
) -> Model:
    """The model of a loaded contract.

    ``outline`` names inline shapes where the contract does not, ``ledger`` keeps names that were public before, ``version``
    is the version under which both know this contract. Raises ``ContractError`` with every problem found.
    """
    wrong = expressions.problems(contract)
    if wrong:
        raise ContractError(wrong, contract.locate)
    interpreter = Interpreter(contract)
    model = interpreter.model(version)
    # Before choices are decided: a member that can never be judged has no values there, and would be left out.
    interpreter.problems += endless.problems(model)
    if interpreter.problems:
        raise ContractError(interpreter.problems, contract.locate)
    model = dispatch.decided(model, interpreter)
    model = behaviour.stated(model, interpreter)
    model, problems = names.named(model, interpreter, outline, ledger, version)
    problems = [*interpreter.problems, *problems]
    if problems:
        raise ContractError(problems, contract.locate)
    return model
