"""``wirebound publish`` against a real index on loopback: what goes there, what does not, and what is said about it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import repository
from packaging.version import Version
from paper import contract, record

from codegen import cli, package_pipeline, publish_pipeline
from codegen.errors import OutputError
from codegen.publish import building, checking, index, proving, sending
from codegen.targets.python.release import is_major

MANIFEST = """\
[contracts.shop]
path = "schema/shop"

[[jobs]]
contract = "shop"
target = "python"
"""
ITEM = {**record("id", "size"), "required": ["id"]}
FILES = ["shop_bindings-1.0.0-py3-none-any.whl", "shop_bindings-1.0.0.tar.gz"]


@pytest.fixture(scope="module")
def packages() -> dict[tuple[tuple[str, bytes], ...], tuple[package_pipeline.Package, ...]]:
    """What was packaged already, by what it was made from: most tests here are about what happens afterwards."""
    return {}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packages) -> Path:
    """A project in a git repository, generated and committed. Packages are built once, and neither judged nor proven: how that
    is done is ``test_package``'s to show, and here that of one test."""
    folder = tmp_path / "project"
    contract(folder, Item=ITEM, Order=record("items"))
    (folder / "wirebound.toml").write_text(MANIFEST)
    monkeypatch.chdir(folder)
    for name, value in (("TWINE_USERNAME", repository.USER), ("TWINE_PASSWORD", repository.PASSWORD)):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    subprocess.run(["git", "init", "-q", "."], check=True)
    commit()

    def package(path: Path | None, names=(), **rest):
        read = sorted([Path("wirebound.toml"), *Path("schema").rglob("*.json")])
        key = tuple((str(file), file.read_bytes()) for file in read)
        if key not in packages:
            with monkeypatch.context() as patch:
                patch.setattr(building, "twice", building.built)
                patch.setattr(checking, "check", lambda distributions: None)
                patch.setattr(proving, "prove", lambda *_: "3")
                packages[key] = package_pipeline.package(path, names, **rest)
        return packages[key]

    monkeypatch.setattr(publish_pipeline, "package", package)
    return folder


def commit() -> None:
    assert cli.run(["generate"]) == 0
    identity = ["-c", "user.name=A", "-c", "user.email=a@shop.example"]
    subprocess.run(["git", "add", "-A"], check=True)
    subprocess.run(["git", *identity, "commit", "-q", "-m", "A state"], check=True)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """What the index holds."""
    (tmp_path / "index").mkdir()
    return tmp_path / "index"


@pytest.fixture
def url(shelf: Path) -> Iterator[str]:
    with repository.index(shelf) as address:
        yield address


class Ran:
    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        capsys.readouterr()
        self.code = cli.run(["publish", *arguments])
        self.out, self.err = capsys.readouterr()
        assert "Traceback" not in self.err
        assert repository.PASSWORD not in self.out + self.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    return lambda *arguments: Ran(capsys, *arguments)


def held(shelf: Path) -> list[str]:
    return sorted(path.name for path in shelf.iterdir())


# --- the way that ends well -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_publish_install_and_import(
    shop: Path, shelf: Path, url: str, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish_pipeline, "package", package_pipeline.package)
    ran = run("--repository", url, "--dry-run")
    assert ran.code == 0, ran.err
    assert [re.sub(r"\(.*", "", line) for line in ran.out.splitlines()] == [
        f"ready   {name} " for name in reversed(FILES)
    ]
    assert "nothing was sent" in ran.err
    assert held(shelf) == []

    ran = run("--repository", url, "--yes")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[2:] == [f"sent    {name}" for name in reversed(FILES)]
    assert held(shelf) == FILES

    place = tmp_path / "installed"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--isolated",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        "--no-cache-dir",
    ]
    installed = subprocess.run(
        [*pip, "--target", str(place), "--index-url", f"{url}simple/", "shop-bindings"], capture_output=True, text=True
    )
    assert installed.returncode == 0, installed.stderr
    code = 'import sys; sys.path.insert(0, sys.argv[1]); import shop_bindings as s; print(s.Item.from_json(b\'{"id": "a"}\'))'
    ran_code = subprocess.run([sys.executable, "-I", "-c", code, str(place)], capture_output=True, text=True)
    assert ran_code.stdout == "Item(id='a', size=None, extra=None)\n", ran_code.stderr

    before = {path: path.read_bytes() for path in shelf.iterdir()}
    ran = run("--repository", url, "--yes")
    assert ran.code == 2
    assert "exists: shop-bindings 1.0.0 is published already, with the same bytes" in ran.err
    assert {path: path.read_bytes() for path in shelf.iterdir()} == before


def test_nothing_is_sent_without_a_yes(shop: Path, shelf: Path, url: str, run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["n\n", ""])

    class Person:
        def readline(self, *_: int) -> str:
            return next(answers)

    monkeypatch.setattr("sys.stdin", Person())
    for _ in range(2):
        ran = run("--repository", url)
        assert ran.code == 2
        assert f"Upload to {url}? It cannot be taken back" in ran.err
        assert "nothing was sent" in ran.err
    assert held(shelf) == []


# --- what is refused --------------------------------------------------------------------------------------------------


def test_a_version_that_is_there_with_other_bytes_is_refused(shop: Path, shelf: Path, url: str, run) -> None:
    for name in FILES:
        (shelf / name).write_bytes(b"other bytes")
        ran = run("--repository", url, "--yes")
        assert ran.code == 2
        assert f"{name}:1:1: exists: shop-bindings 1.0.0 is published already, with other bytes" in ran.err
        assert "help: raise the job's revision" in ran.err
        assert held(shelf) == [name]
        (shelf / name).unlink()


def test_what_was_sent_of_a_run_that_failed_is_not_sent_again(shop: Path, shelf: Path, url: str, run) -> None:
    (made,) = publish_pipeline.package(None)
    (shelf / FILES[1]).write_bytes(made.distributions[FILES[1]])
    ran = run("--repository", url, "--yes")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[0] == f"there   {FILES[1]}"
    assert ran.out.splitlines()[-1] == f"sent    {FILES[0]}"
    assert held(shelf) == FILES


def test_a_tree_that_is_not_committed_is_refused(shop: Path, shelf: Path, url: str, run) -> None:
    (shop / "notes.txt").write_text("new")
    (shop / "sub").mkdir()
    ran = run("--repository", url, "--yes")
    assert ran.code == 2
    assert "wirebound.toml:1:1: dirty-tree: not committed: notes.txt\n" in ran.err
    subprocess.run(["git", "add", "notes.txt"], check=True)
    assert "dirty-tree: not committed: notes.txt" in run("--repository", url, "--dry-run").err
    assert held(shelf) == []


def test_a_package_that_is_not_what_its_contract_makes_is_refused(
    shop: Path, shelf: Path, url: str, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made,) = publish_pipeline.package(None)
    from codegen.publish import building

    files = {**made.files, "shop_bindings/models.py": made.files["shop_bindings/models.py"] + b"\nX = 1\n"}
    meddled = package_pipeline.Package(made.job, made.edition, files, building.built(files))
    monkeypatch.setattr(publish_pipeline, "package", lambda *_, **__: (meddled,))
    ran = run("--repository", url, "--yes")
    assert ran.code == 2
    assert "not-verified: the contract in it makes another wheel: shop_bindings-1.0.0.dist-info/RECORD, " in ran.err
    assert "shop_bindings/models.py" in ran.err
    assert held(shelf) == []


def test_a_breaking_change_needs_a_major_step(shop: Path, shelf: Path, url: str, run) -> None:
    (made,) = publish_pipeline.package(None)
    (shelf / FILES[0]).write_bytes(made.distributions[FILES[0]])
    (shelf / "shop_bindings-0.9-py3-none-any.whl").write_bytes(b"not the last one")
    (shop / "schema/shop/1.0").rename(shop / "schema/shop/1.1")
    contract(shop, "1.1", Item={**ITEM, "required": ["id", "size"]}, Order=record("items"))
    commit()
    ran = run("--repository", url, "--dry-run")
    assert ran.code == 2
    assert "shop_bindings-1.1.0-py3-none-any.whl:1:1: breaking: since 1.0.0, Item.size: field-required: " in ran.err
    assert "help: give it a version with a major step from 1.0.0, or pass --accept-breaking" in ran.err
    assert run("--repository", url, "--dry-run", "--accept-breaking").code == 0
    (shop / "schema/shop/1.1").rename(shop / "schema/shop/2.0")
    commit()
    ran = run("--repository", url, "--dry-run", "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    assert said["sent"] == [] and [(one["name"], one["version"]) for one in said["releases"]] == [
        ("shop-bindings", "2.0.0")
    ]
    assert [one["name"] for one in said["releases"][0]["files"]][1] == "shop_bindings-2.0.0-py3-none-any.whl"
    assert "nobody is asked" in run("--repository", url, "--json").err


def test_what_breaks_nobody_needs_none(shop: Path, shelf: Path, url: str, run) -> None:
    (made,) = publish_pipeline.package(None)
    (shelf / FILES[0]).write_bytes(made.distributions[FILES[0]])
    (shop / "schema/shop/1.0").rename(shop / "schema/shop/1.1")
    contract(shop, "1.1", Item={**ITEM, "description": "A thing."}, Order=record("items"))
    commit()
    ran = run("--repository", url, "--dry-run")
    assert ran.code == 0, ran.err


def test_the_policy_and_the_exceptions_of_the_contract_hold(shop: Path, shelf: Path, url: str, run) -> None:
    """An added member breaks readers of closed objects by the letter, and nobody where they drop what they do not know."""
    (made,) = publish_pipeline.package(None)
    (shelf / FILES[0]).write_bytes(made.distributions[FILES[0]])
    (shop / "schema/shop/1.0").rename(shop / "schema/shop/1.1")
    contract(shop, "1.1", Item={**record("id", "size", "colour"), "required": ["id"]}, Order=record("items"))
    commit()
    ran = run("--repository", url, "--dry-run")
    assert ran.code == 2
    assert "breaking: since 1.0.0, Item.colour: field-added: " in ran.err
    head, _, jobs = MANIFEST.partition("\n[[jobs]]")
    (shop / "wirebound.toml").write_text(f'{head}policy = {{ receivers = "tolerant" }}\n[[jobs]]{jobs}')
    commit()
    assert run("--repository", url, "--dry-run").code == 0
    (shop / "wirebound.toml").write_text(f'{head}policy = {{ receivers = "none" }}\n[[jobs]]{jobs}')
    assert "wirebound.toml:3:12: bad-value: receivers is " in run("--repository", url, "--dry-run").err
    (shop / "wirebound.toml").write_text(MANIFEST)
    (shop / "schema/shop/exceptions.toml").write_text(
        '[[exceptions]]\nat = "Item.colour"\nreason = "Nobody reads old ones."\nexpires = "2999-01-01"\n'
    )
    commit()
    ran = run("--repository", url, "--dry-run")
    assert ran.code == 0, ran.err


def test_a_release_that_cannot_be_compared_is_told(shop: Path, shelf: Path, url: str, run) -> None:
    (shelf / "shop_bindings-1.0a1-py3-none-any.whl").write_bytes(b"made by hand")
    ran = run("--repository", url, "--dry-run")
    assert ran.code == 2
    assert "shop_bindings-1.0a1-py3-none-any.whl:1:1: bad-wheel: it is no wheel" in ran.err
    assert "help: pass --accept-breaking to publish without comparing the contracts" in ran.err
    assert run("--repository", url, "--dry-run", "--accept-breaking").code == 0


def test_all_reasons_are_said_at_once(shop: Path, shelf: Path, url: str, run) -> None:
    (shelf / FILES[0]).write_bytes(b"other bytes")
    (shop / "notes.txt").write_text("new")
    ran = run("--repository", url, "--dry-run")
    assert "dirty-tree" in ran.err
    assert "exists" in ran.err


# --- trouble on the way -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_wrong_password_is_said_and_never_shown(
    shop: Path, shelf: Path, url: str, run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "wrong-2218"
    monkeypatch.setenv("TWINE_PASSWORD", wrong)
    ran = run("--repository", url, "--yes")
    assert ran.code == 2
    assert (
        "--repository:1:1: refused-credentials: shop_bindings-1.0.0.tar.gz is not accepted from whoever this is: "
        in ran.err
    )
    assert "403" in ran.err
    assert "nothing of it is there" in ran.err
    assert wrong not in ran.out + ran.err
    assert held(shelf) == []
    monkeypatch.delenv("TWINE_PASSWORD")
    monkeypatch.delenv("TWINE_USERNAME")
    ran = run("--repository", url, "--yes")
    assert ran.code == 2
    assert held(shelf) == []


@pytest.mark.slow
def test_a_token_from_the_keyring(
    shop: Path, shelf: Path, url: str, run, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a_keyring.py").write_text(KEYRING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "a_keyring.Keyring")
    monkeypatch.setenv("EXPECTED_SERVICE", url)
    monkeypatch.delenv("TWINE_PASSWORD")
    ran = run("--repository", url, "--yes")
    assert ran.code == 0, ran.err
    assert held(shelf) == FILES


KEYRING = f"""
import os
import keyring.backend

class Keyring(keyring.backend.KeyringBackend):
    priority = 1

    def set_password(self, service, username, password):
        raise NotImplementedError

    def get_password(self, service, username):
        return {repository.PASSWORD!r} if (service, username) == (os.environ["EXPECTED_SERVICE"], "{repository.USER}") else None
"""


def test_the_secret_is_no_argument_of_any_program(
    shop: Path, shelf: Path, url: str, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[str] = []
    real = subprocess.run

    def watched(command, *rest, **given):
        commands.append(" ".join(map(str, command)))
        return real(command, *rest, **given)

    monkeypatch.setattr("subprocess.run", watched)
    assert run("--repository", url, "--yes").code == 0
    assert any("twine upload" in command for command in commands)
    assert not [command for command in commands if repository.PASSWORD in command]


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 2_000])
def test_a_server_that_goes_down_in_mid_upload(shop: Path, shelf: Path, url: str, run, after: int) -> None:
    with repository.going_down(after) as (broken, read):
        ran = run("--repository", broken, "--index", f"{url}simple/", "--yes")
    assert read, "the upload was tried"
    assert ran.code == 2
    assert "--repository:1:1: unreachable: shop_bindings-1.0.0.tar.gz did not get through: " in ran.err
    assert "nothing of it is there" in ran.err
    assert "help: run the command again" in ran.err
    assert held(shelf) == []
    assert subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True).stdout == ""


def test_an_index_that_is_down_stops_the_run_before_anything_is_sent(shop: Path, run) -> None:
    with repository.going_down(0) as (broken, _):
        ran = run("--repository", broken, "--yes")
    assert ran.code == 2
    assert "--index:1:1: unreachable: http://127.0.0.1:" in ran.err
    ran = run("--repository", broken, "--yes")  # nobody listens there any more
    assert ran.code == 2
    assert "--index:1:1: unreachable: http://127.0.0.1:" in ran.err


def test_half_a_release_is_said(shop: Path, shelf: Path, url: str, run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source distribution gets there and the wheel does not: that is said, and the next run sends the wheel alone."""
    real = sending.send

    def failing(name: str, content: bytes, where: str) -> None:
        if name.endswith(".whl"):
            with repository.going_down(500) as (broken, _):
                real(name, content, broken)
        real(name, content, where)

    with monkeypatch.context() as patch:
        patch.setattr(sending, "send", failing)
        ran = run("--repository", url, "--yes")
    assert ran.code == 2
    assert ran.out.splitlines()[-1] == f"sent    {FILES[1]}"
    assert f"{FILES[1]} is there" in ran.err
    assert held(shelf) == [FILES[1]]
    ran = run("--repository", url, "--yes")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[-1] == f"sent    {FILES[0]}"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://me:secret-5512@packages.example.org/", "the address holds credentials"),
        ("http://packages.example.org/legacy/", "would be spoken to in the clear"),
        ("packages.example.org", "is no http or https address"),
        ("https://[::1/", "is no http or https address"),
        ("ftp://packages.example.org/", "is no http or https address"),
    ],
)
def test_an_address_that_a_token_must_not_go_to(shop: Path, run, address: str, expected: str) -> None:
    for option, others in (("--repository", []), ("--index", ["--repository", "https://packages.example.org/"])):
        ran = run(option, address, *others, "--yes")
        assert ran.code == 2
        assert f"{option}:1:1: bad-address: " in ran.err
        assert expected in ran.err
        assert "secret-5512" not in ran.err


# --- parts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("1.0.0", "1.9.0", False),
        ("1.9.0", "2.0.0", True),
        ("0.3.1", "0.4.0", True),
        ("0.3.1", "0.3.2", False),
        ("0.0.1", "0.0.2", True),
        ("0.9", "1.0", True),
        ("1b0", "1b1", False),
        ("2025.11.25.0", "2025.12.1.0", False),
        ("2025.11.25.0", "2026.1.1.0", True),
    ],
)
def test_a_major_step(before: str, after: str, expected: bool) -> None:
    assert is_major(Version(before), Version(after)) is expected


@pytest.mark.parametrize(
    ("upload", "shown"),
    [
        ("https://upload.packages.example.org/legacy/", "https://packages.example.org/simple/"),
        ("https://packages.example.org/legacy/", "https://packages.example.org/simple/"),
        ("http://localhost:8080", "http://localhost:8080/simple/"),
        ("https://example.org/team/", "https://example.org/team/simple/"),
    ],
)
def test_where_an_index_is_as_a_rule(upload: str, shown: str) -> None:
    assert index.index_of(upload) == shown


JSON = b"""{"meta": {"api-version": "1.1"}, "name": "shop-bindings", "files": [
  {"filename": "shop_bindings-1.0.0.tar.gz", "url": "../../files/shop_bindings-1.0.0.tar.gz", "hashes": {"sha256": "AB"}},
  {"filename": "shop_bindings-1.1.0-py3-none-any.whl", "url": "https://files.example.org/x.whl", "hashes": {}, "yanked": "why"},
  {"filename": "notes.txt", "url": "notes.txt", "hashes": {"md5": "1"}}]}"""
HTML = b"""<!DOCTYPE html><html><body><h1>Links</h1><a name="top"></a>
<a href="../../files/shop_bindings-1.0.0.tar.gz#sha256=AB">shop_bindings-1.0.0.tar.gz</a><br>
<a data-yanked="why" href="https://files.example.org/x.whl">shop_bindings-1.1.0-py3-none-any.whl</a>
<a href="notes.txt#md5=1">notes.txt</a></body></html>"""


@pytest.mark.parametrize(
    ("kind", "page"), [("application/vnd.pypi.simple.v1+json", JSON), ("text/html; charset=utf-8", HTML)]
)
def test_an_index_speaks_json_or_html(kind: str, page: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def get(self: index.Index, url: str) -> tuple[str, bytes, str]:
        asked.append(url)
        return kind, page, url

    monkeypatch.setattr(index.Index, "_get", get)
    entries = [entry for entry in index.Index("https://example.org/simple").files("Shop.Bindings") if entry.name]
    assert asked == ["https://example.org/simple/shop-bindings/"]
    found = [(entry.name, entry.url, dict(entry.digests), entry.yanked, str(entry.version)) for entry in entries]
    source = "shop_bindings-1.0.0.tar.gz"
    assert found == [
        (source, f"https://example.org/files/{source}", {"sha256": "AB"}, False, "1.0.0"),
        ("shop_bindings-1.1.0-py3-none-any.whl", "https://files.example.org/x.whl", {}, True, "1.1.0"),
        ("notes.txt", f"{asked[0]}notes.txt", {"md5": "1"}, False, "None"),
    ]  # fmt: skip


@pytest.mark.parametrize("page", [b"[]", b"{", b'{"files": 1}', b'{"files": [{}]}'])
def test_an_index_that_speaks_nonsense_is_told(page: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index.Index, "_get", lambda self, url: ("application/json", page, url))
    with pytest.raises(OutputError, match=r"unreachable: .*/simple/shop/ cannot be read: JSON that is no list"):
        index.Index("https://example.org/simple/").files("shop")


def test_a_digest_decides_and_bytes_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import hashlib

    shown = index.Index("https://example.org/simple/")
    monkeypatch.setattr(index.Index, "_get", lambda self, url: ("", b"held", url))
    for algorithm in ("sha512", "sha256", "md5"):
        digest = hashlib.new(algorithm, b"held").hexdigest()
        assert index.agrees(index.Entry("x.whl", "u", {algorithm: digest.upper()}), b"held", shown)
        assert not index.agrees(index.Entry("x.whl", "u", {algorithm: digest}), b"other", shown)
    assert index.agrees(index.Entry("x.whl", "u", {"blake9": "1"}), b"held", shown)
    assert not index.agrees(index.Entry("x.whl", "u", {}), b"other", shown)


def test_the_secret_goes_to_its_own_host_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TWINE_PASSWORD", repository.PASSWORD)
    sent: list[tuple[str, bool]] = []

    class Answer:
        def __init__(self) -> None:
            self.headers: dict[str, str] = {}
            self.url = "u"

        def __enter__(self):
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read(self) -> bytes:
            return b""

    def urlopen(request, timeout):
        sent.append((request.full_url, request.has_header("Authorization")))
        return Answer()

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    beside = publish_pipeline._index("https://packages.example.org/legacy/", None)
    beside.files("shop")
    beside._get("https://files.example.org/x.whl")
    publish_pipeline._index("https://packages.example.org/", "https://mirror.example.org/simple/").files("shop")
    assert sent == [
        ("https://packages.example.org/simple/shop/", True),
        ("https://files.example.org/x.whl", False),
        ("https://mirror.example.org/simple/shop/", False),
    ]
