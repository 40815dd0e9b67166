"""``wirebound docs``: the site of all contracts of a manifest, written, and shown."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from codegen import docs_pipeline
from codegen.cli import options, terminal
from codegen.cli.generate import told
from codegen.paths import display


@click.command("docs")
@click.option("--serve", is_flag=True, help="Show the site on this machine until Ctrl-C.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="The folder for it (build/site).")
@click.option("--url", default="http://localhost:8000/", metavar="URL", help="Where the site will be, for its sitemap.")
@click.option(
    "--port", default=8000, type=click.IntRange(0, 65535), metavar="N", help="The port of --serve; 0 for any."
)
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand or are not the tool's.")
@options.manifest
@options.as_json("What was written, as one object")
def command(
    serve: bool, out: Path | None, url: str, port: int, force: bool, manifest: Path | None, as_json: bool
) -> None:
    """Build the site of every version of every contract: HTML in all its languages, search, Markdown, indexes.

    Every example is judged by the bindings, every link is followed: nothing is written if one is wrong. Full-text search
    needs the extra "docs" (pip install wirebound[docs]); without it the site finds names.

    \b
    Examples:
      wirebound docs --serve
      wirebound docs --out public --url https://docs.example.org/ --json
    """
    if serve and as_json:
        raise click.UsageError("--serve does not end, and --json is for programs that wait for the end")
    if not url.startswith(("http://", "https://")):
        raise click.BadParameter(f'"{url}" is no http or https address', param_hint="--url")
    with terminal.progress() as note:
        folder, outcome = docs_pipeline.write_site(manifest, out, url=url, force=force, note=note)
    told(outcome, as_json)
    if not docs_pipeline.can_search():
        terminal.warn("without full-text search, for which Pagefind is missing: pip install wirebound[docs]")
    if serve:
        _serve(folder, port)


def _serve(folder: Path, port: int) -> None:
    with ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(folder))) as server:
        terminal.say(f"{display(folder)} at http://localhost:{server.server_port}/ (Ctrl-C ends)\n")
        terminal.flush()
        server.serve_forever()


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of those that are there."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".md": "text/markdown; charset=utf-8"}  # noqa: RUF012

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Only errors are told."""
