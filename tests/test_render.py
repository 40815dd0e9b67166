"""Rendering, the targets by name and their options: strict, and loud about every fault of a template or an option."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import pytest

from codegen import render
from codegen.errors import ManifestError, OutputError
from codegen.paths import templates
from codegen.pointer import Origin
from codegen.targets import options, registry
from codegen.targets.base import Raw, Rendering


@dataclass(frozen=True)
class View:
    name: str = "x"
    lines: tuple[str, ...] = ("a", "b")
    flag: bool = True


def rendered(tmp_path: Path, template: str, view: object = View(), **more: str) -> str:
    for name, text in {"t": template, **more}.items():
        (tmp_path / f"{name}.j2").write_text(text, encoding="utf-8", newline="")
    return render.render([Rendering("out.txt", "t.j2", view)], tmp_path)["out.txt"].decode()


def refused(files: Iterable[Rendering | Raw], *folders: Path) -> str:
    with pytest.raises(OutputError) as caught:
        render.render(files, *folders)
    assert all(problem.help for problem in caught.value.problems)
    return str(caught.value)


def test_a_template_loops_tests_flags_and_includes(tmp_path: Path) -> None:
    loop = "{% for line in view.lines %}\n  {{ line }}{% if not loop.last %},{% endif %}\n\n{% endfor %}\n"
    template = loop + "{% include 'part.j2' %}\n"
    assert rendered(tmp_path, template, part="{% if view.flag %}\n{{ view.name }}\n{% endif %}\n") == "  a,\n  b\nx\n"


def test_indent_moves_all_lines_but_the_first_and_the_empty_ones(tmp_path: Path) -> None:
    assert rendered(tmp_path, "  {{ view.name | indent(2) }}\n", View(name="a\n\nb")) == "  a\n\n  b\n"


def test_nothing_of_a_view_is_markup_or_a_template(tmp_path: Path) -> None:
    text = "{{ view.flag }} <&\"'> {% raw %} \\"
    assert rendered(tmp_path, "{{ view.name }}", View(name=text)) == text


def test_files_keep_their_order_and_raw_ones_their_bytes(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ view.name }}")
    files = [Raw("z", b"\r\n\xff"), Rendering("a/b", "t.j2", View())]
    assert list(render.render(files, tmp_path).items()) == [("z", b"\r\n\xff"), ("a/b", b"x")]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("\n{{ view.absent }}", "t.j2:2:1: bad-template: \"out.txt\" cannot be rendered: "),
        ("{{ absent }}", "t.j2:1:1: bad-template: "),
        ("a\n{% if %}", "t.j2:2:1: bad-template: "),
        ("{{ view.name | upper }}", "t.j2:1:1: bad-template: \"out.txt\" cannot be rendered: No filter named 'upper'."),
        ("{{ range(3) }}", "t.j2:1:1: bad-template: "),
        ("{% if view.flag is defined %}{% endif %}", "bad-template: "),
        ("{% include 'none.j2' %}", "bad-template: \"out.txt\" cannot be rendered: 'none.j2' not found"),
    ],
)  # fmt: skip
def test_what_a_template_cannot_mean_is_a_problem_at_its_line(tmp_path: Path, template: str, expected: str) -> None:
    (tmp_path / "t.j2").write_text(template)
    assert expected in refused([Rendering("out.txt", "t.j2", View())], tmp_path)


def test_a_template_that_is_not_there(tmp_path: Path) -> None:
    assert "none/x.j2" in refused([Rendering("out.txt", "none/x.j2", View())], tmp_path)


@pytest.mark.parametrize("path", ["../x", "/x", "a//b", "", "a/../../b", "C:\\x", "nul", "x\n"])
def test_a_path_that_leaves_the_folder_is_a_problem(path: str) -> None:
    assert "bad-path: " in refused([Raw(path, b"")])


@pytest.mark.parametrize("paths", [("a", "a"), ("a", "A"), ("a", "a/b"), ("A/b", "a"), ("x/straße", "x/STRASSE/y")])
def test_two_files_of_one_place_are_a_problem(paths: tuple[str, ...]) -> None:
    assert "is in the way" in refused([Raw(path, b"") for path in paths])


def test_text_that_utf_8_cannot_hold_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ view.name }}")
    message = refused([Rendering("out.txt", "t.j2", View(name="a\ud800"))], tmp_path)
    assert message.startswith('out.txt:1:1: bad-text: it would hold "\\u{d800}", which is no character')


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ view.absent }}")
    files = [Raw("../x", b""), Rendering("a", "t.j2", View()), Rendering("b", "t.j2", View())]
    assert refused(files, tmp_path).count("cannot be") == 3


def test_the_built_in_templates_are_those_of_the_checkout() -> None:
    assert templates() == Path(__file__).parents[1] / "templates"


# --- options ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    package: str = "bindings"
    parts: tuple[Literal["models", "typed"], ...] = ("models",)
    unknown: Literal["reject", "keep"] = "reject"
    open_world: bool = False
    depth: int = 3
    title: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.package.isidentifier():
            raise ValueError(f'package is "{self.package}", not an identifier')


class Fake:
    name = "fake"
    Options = Options

    def files(self, edition: Any, options: Any) -> Iterable[Rendering | Raw]:
        return [Raw("x", options.package.encode())]


AT = Origin("wirebound.toml", "/jobs/0")


def test_options_are_typed_by_their_declaration() -> None:
    given = {"package": "p", "parts": ["typed"], "open_world": True, "depth": 1, "title": "t", "names": {"a": "b"}}
    expected = Options(package="p", parts=("typed",), open_world=True, depth=1, title="t", names={"a": "b"})
    assert options.options(Fake(), given, AT) == expected
    assert options.options(Fake(), {}, AT) == Options()
    assert options.options(Fake(), {"title": None, "parts": ("typed",)}, AT) == Options(parts=("typed",))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"packages": "p"}, '#/jobs/0/packages: unknown-option: "packages" is no option of target "fake"'),
        ({"package": 1}, "#/jobs/0/package: bad-option: package is an integer, not a string"),
        ({"package": "a-b"}, '#/jobs/0: bad-option: package is "a-b", not an identifier'),
        ({"parts": "typed"}, "bad-option: parts is a string, not an array"),
        ({"parts": ["models", "x"]}, 'bad-option: parts is "x", not one of "models", "typed"'),
        ({"unknown": "Reject"}, 'bad-option: unknown is "Reject", not one of "reject", "keep"'),
        ({"open_world": 1}, "bad-option: open_world is an integer, not true or false"),
        ({"depth": True}, "bad-option: depth is true or false, not an integer"),
        ({"names": ["a"]}, "bad-option: names is an array, not a table"),
        ({"names": {"a": 1}}, "bad-option: names is an integer, not a string"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(given: dict[str, object], expected: str) -> None:
    with pytest.raises(ManifestError) as caught:
        options.options(Fake(), given, AT)
    assert expected in str(caught.value)


def test_all_faulty_options_are_told_at_once() -> None:
    with pytest.raises(ManifestError) as caught:
        options.options(Fake(), {"x": 1, "depth": "1"}, AT)
    assert [problem.code for problem in caught.value.problems] == ["unknown-option", "bad-option"]


def test_options_on_a_command_line_mean_what_they_mean_in_a_manifest() -> None:
    pairs = ["package=p=q", "parts=models,typed", "open_world=true", "depth=-2", "title=", "unknown=keep", "x=1"]
    assert options.spelled(Fake(), pairs) == {
        "package": "p=q",
        "parts": ["models", "typed"],
        "open_world": True,
        "depth": -2,
        "title": "",
        "unknown": "keep",
        "x": "1",
    }
    assert options.spelled(Fake(), ["open_world=yes", "depth=1e3"]) == {"open_world": "yes", "depth": "1e3"}


# --- targets ----------------------------------------------------------------------------------------------------------


def installed(monkeypatch: pytest.MonkeyPatch, **targets: str) -> None:
    points = [metadata.EntryPoint(name, value, registry.GROUP) for name, value in targets.items()]

    def entry_points(*, group: str) -> metadata.EntryPoints:
        assert group == registry.GROUP
        return metadata.EntryPoints(points)

    monkeypatch.setattr(metadata, "entry_points", entry_points)


def test_an_installed_distribution_adds_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, fake=f"{__name__}:Fake")
    assert registry.find("fake", AT) is Fake  # type: ignore[comparison-overlap]


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ({"other": "x:y"}, 'unknown-target: there is no target "fake"'),
        ({"fake": "no.such.module:X"}, 'bad-target: the target "fake" cannot be imported: ModuleNotFoundError'),
        (
            {"fake": f"{__name__}:View"},
            'bad-target: tests.test_render:View is no target called "fake": it has no Options',
        ),
        ({"fake": f"{__name__}:Misnamed"}, 'it calls itself "other"'),
    ],
)
def test_what_is_no_target_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, targets: dict[str, str], expected: str
) -> None:
    installed(monkeypatch, **targets)
    with pytest.raises(ManifestError) as caught:
        registry.find("fake", AT)
    assert expected.replace("tests.test_render", __name__) in str(caught.value)


class Misnamed(Fake):
    name = "other"


def test_a_built_in_target_cannot_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, **dict.fromkeys(registry.BUILT_IN, f"{__name__}:Fake"))
    for name in registry.BUILT_IN:
        assert registry.find(name, AT).name == name
