"""The architecture, read off the syntax trees: who imports whom, what templates may say, sizes, and whose names appear."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import nodes

from codegen.render import environment

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "codegen"
MODULES = sorted(PACKAGE.rglob("*.py"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.j2"))

# What each part of the package may import of it, beside itself. A part is a module or a package below ``codegen``.
ALLOWED = {
    # the seams, from the ground up
    "pointer": "",
    "errors": "pointer",
    "paths": "errors pointer",
    "versions": "",
    "model": "pointer",
    "words": "",
    "formats": "",
    "gather": "paths errors pointer",
    # load
    "vocabulary": "errors pointer model",
    "document": "vocabulary formats errors pointer paths model",
    "tables": "errors pointer paths",
    "manifest": "tables versions formats paths errors pointer",
    "outline": "tables ledger model errors pointer",
    "ledger": "tables versions model errors pointer",
    "catalogue": "tables outline errors pointer",
    "wording": "tables errors pointer",
    # interpret
    "patterns": "errors pointer",
    "resolve": "document vocabulary formats patterns tables words model facts exchange reach ledger outline errors pointer",
    "facts": "model pointer errors",
    "exchange": "facts model",
    "reach": "facts model pointer",
    "history": "model",
    "dump": "facts model pointer errors",
    "derive": "patterns facts model pointer errors",
    "lint": "derive document patterns tables facts model pointer errors",
    # emit
    "provenance": "derive document edition facts ledger manifest model outline paths tables",
    "edition": "model facts history ledger outline catalogue wording pointer",
    "samples": "derive exchange edition facts model paths errors pointer",
    "editions": "document resolve provenance samples evolve history edition model facts ledger outline catalogue wording "
    "gather paths errors pointer",
    "targets": "edition history model facts exchange reach patterns words outline catalogue wording errors pointer tables",
    "evolve": "derive dump facts history ledger model tables errors pointer",
    "render": "targets paths errors pointer",
    "output": "paths errors pointer",
    "stamp": "manifest targets",
    "publish": "output paths errors pointer",
    # above the stages
    "asked": "paths errors pointer",
    "pipeline": "asked manifest editions edition provenance document dump evolve stamp ledger model targets render output "
    "gather paths errors pointer",
    "i18n": "targets edition outline catalogue tables",
    "validate": "document pointer",
    "scaffold": "document manifest tables versions paths errors pointer",
    "contract_pipeline": "pipeline manifest document vocabulary lint scaffold validate memory tables targets render output "
    "gather paths errors pointer",
    "snippets": "targets edition model",
    "call_snippets": "snippets targets edition model",
    "search": "",
    "docs_pipeline": "pipeline manifest editions edition i18n catalogue outline model derive memory snippets call_snippets "
    "search targets render output gather paths tables errors pointer",
    "package_pipeline": "pipeline manifest edition model derive publish output paths errors pointer",
    "publish_pipeline": "package_pipeline diff_pipeline pipeline manifest edition evolve targets publish gather paths "
    "errors pointer",
    "verify": "derive facts model tables paths errors pointer",
    "verify_pipeline": "pipeline manifest document edition derive verify model tables output paths errors pointer",
    "revisions": "manifest versions paths errors pointer",
    "diff_pipeline": "pipeline manifest edition editions document resolve evolve revisions facts ledger outline tables "
    "gather errors pointer",
    "changelog": "targets edition",
    "incoming": "document manifest revisions scaffold tables paths errors pointer",
    "bump_pipeline": "pipeline diff_pipeline manifest editions incoming scaffold resolve evolve revisions changelog i18n "
    "ledger facts targets output gather paths versions errors pointer",
    "upgrade_pipeline": "pipeline manifest evolve publish output gather paths errors pointer",
    "memory": "",
    "api": "pipeline memory model",
    "cli": "pipeline contract_pipeline docs_pipeline package_pipeline publish_pipeline diff_pipeline bump_pipeline "
    "upgrade_pipeline verify_pipeline verify manifest paths errors",
    "": "api errors",
}

# Modules that may be longer than 400 lines, each with its reason.
LONG = {
    "model.py": "one class per kind of the model and nothing else: splitting it would only scatter the vocabulary",
}

# The module of the target protocol may say what an edition is; all other helpers of targets are shared by them alone.
EDGES = {("render", "targets"): {"codegen.targets.base"}, ("stamp", "targets"): {"codegen.targets.registry"}}


def part(module: str) -> str:
    return module.partition(".")[2].partition(".")[0]


def name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """The modules of the package that a module imports, wherever the import stands; types count as well."""
    known = {name(module) for module in MODULES}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "codegen")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "codegen":
            assert node.level == 0, f"{path}: relative imports hide who is meant"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else str(node.module)


def test_every_part_has_its_place_in_the_import_direction() -> None:
    assert {part(name(path)) for path in MODULES} <= ALLOWED.keys()


def test_the_import_direction_has_no_way_back() -> None:
    order: list[str] = []
    rest = {one: set(allowed.split()) for one, allowed in ALLOWED.items()}
    while rest:
        ready = [one for one, needs in rest.items() if not needs - set(order)]
        assert ready, f"a circle among {sorted(rest)}"
        order += ready
        for one in ready:
            del rest[one]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_go_one_way(path: Path) -> None:
    own = part(name(path))
    for imported in imports(path):
        other = part(imported)
        if own in ("cli", "contract_pipeline", "provenance") and imported == "codegen":
            continue  # the version
        assert other == own or other in ALLOWED[own].split(), f"{name(path)} must not import {imported}"
        assert imported in EDGES.get((own, other), {imported}), f"{name(path)} must not import {imported}"


def test_targets_open_neither_jinja_nor_disk() -> None:
    for path in (PACKAGE / "targets").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        roots = {
            (node.module if isinstance(node, ast.ImportFrom) else alias.name or "").partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        assert not roots & {"jinja2", "os", "pathlib", "io", "shutil", "tempfile", "subprocess", "socket"}, path
        calls = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & {"open", "eval", "exec"}, path


def test_only_output_writes() -> None:
    """Disk is read in load and written in output; nothing else has a name for writing."""
    writing = {
        "write_text",
        "write_bytes",
        "mkdir",
        "makedirs",
        "unlink",
        "rmdir",
        "rmtree",
        "rename",
        "touch",
        "symlink_to",
    }
    for path in MODULES:
        if part(name(path)) == "output":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                assert node.attr not in writing, f"{name(path)}:{node.lineno} writes"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_is_short_or_has_a_reason(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if path.relative_to(PACKAGE).as_posix() in LONG:
        assert lines > 400, "no longer long: take it off the list"
    else:
        assert lines <= 400


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_says_what_it_takes_and_gives(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring
    if part(name(path)) != "cli":
        assert re.search("[→↔:]", docstring.split("\n\n")[0]), "first line: takes → gives"


# --- templates --------------------------------------------------------------------------------------------------------

SPOKEN = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.For,
    nodes.If,
    nodes.Include,
    nodes.Name,
    nodes.Getattr,
    nodes.Filter,
    nodes.Not,
    nodes.Const,
    nodes.Call,
    nodes.Pair,
    nodes.Keyword,
)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def test_a_template_only_loops_tests_a_flag_and_includes(path: Path) -> None:
    tree = environment().parse(path.read_text(encoding="utf-8"))
    for node in tree.find_all(nodes.Node):
        assert isinstance(node, SPOKEN), f"{path}:{node.lineno}: {type(node).__name__} has no place in a template"
    for test in (test for node in tree.find_all(nodes.If) for test in [node.test]):
        flag = test.node if isinstance(test, nodes.Not) else test
        assert isinstance(flag, nodes.Name | nodes.Getattr), f"{path}:{test.lineno}: a test asks one flag"
    for loop in tree.find_all(nodes.For):
        assert loop.test is None, f"{path}:{loop.lineno}: a loop filters nothing"
        assert isinstance(
            loop.iter, nodes.Name | nodes.Getattr
        ), f"{path}:{loop.lineno}: a loop goes over a view's list"
    for include in tree.find_all(nodes.Include):
        assert isinstance(include.template, nodes.Const), f"{path}:{include.lineno}: a computed name"
        assert not include.ignore_missing
    for call in tree.find_all(nodes.Call):
        assert (
            isinstance(call.node, nodes.Name) and call.node.name == "loop"
        ), f"{path}:{call.lineno}: only loops recurse"
    for filtered in tree.find_all(nodes.Filter):
        assert filtered.name == "indent", f"{path}:{filtered.lineno}: the filter {filtered.name}"


@pytest.mark.parametrize(
    "template",
    [
        "{% set x = 1 %}",
        "{% if view.a == 1 %}{% endif %}",
        "{% if view.a and view.b %}{% endif %}",
        "{{ view.a + 1 }}",
        "{{ 'a' if view.b else 'c' }}",
        "{% include view.name %}",
        "{{ view.name | upper }}",
        "{{ view.name() }}",
        "{{ view['name'] }}",
        "{% for x in view.list if x %}{% endfor %}",
        "{% for x in [1, 2] %}{% endfor %}",
        "{% macro m() %}{% endmacro %}",
        "{% extends 'x' %}",
        "{% import 'x' as y %}",
        "{% raw %}{% endraw %}{{ view ~ 'x' }}",
    ],
)
def test_the_rule_for_templates_refuses_what_it_is_there_for(tmp_path: Path, template: str) -> None:
    path = tmp_path / "t.j2"
    path.write_text(template)
    with pytest.raises(AssertionError):
        test_a_template_only_loops_tests_a_flag_and_includes(path)


# --- names ------------------------------------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", text)


def spelled_anyhow(text: str) -> str:
    """A pattern for a name in any of the cases in which code spells names."""
    return r"(?<![A-Za-z0-9])" + "[-_]?".join(map(re.escape, words(text))) + r"(?![A-Za-z0-9])"


def contract_names() -> set[str]:
    """What only one contract is called, or calls its own: names of folders, and definitions of three words and more."""
    folders = {path for path in (ROOT / "schema").iterdir() if path.is_dir()}
    definitions = {
        definition
        for folder in folders
        for path in folder.glob("*/schema.json")
        for definition in json.loads(path.read_bytes()).get("$defs", {})
    }
    return {path.name for path in folders} | {d for d in definitions if len(words(d)) > 2}


def test_no_contract_is_named_in_the_toolchain() -> None:
    names = contract_names()
    assert names
    pattern = re.compile("|".join(map(spelled_anyhow, sorted(names))), re.IGNORECASE)
    for path in [*MODULES, *TEMPLATES]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = pattern.search(line)
            assert found is None, f"{path.relative_to(ROOT)}:{number} speaks of {found and found[0]}"


@pytest.mark.parametrize("text", ["AG-UI", "ag_ui", "the agUi model", "AgUI"])
def test_a_name_is_found_however_it_is_spelled(text: str) -> None:
    assert re.search(spelled_anyhow("ag-ui"), text, re.IGNORECASE)
