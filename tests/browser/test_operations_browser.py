"""Operations on the site in a real browser: places, search, widths, contrast, formats, paper."""

from __future__ import annotations

from typing import Any

import pytest
from test_site_browser import AXE, RUN_AXE, SHOW_FORMAT, at_top, search

EN, KO = "/gemini-interactions/v1beta/en", "/gemini-interactions/v1beta/ko"
PAGES = (
    f"{EN}/index.html",
    f"{EN}/webhook-operations.html",
    f"{KO}/interaction-operations.html",
    f"{KO}/deliveries.html",
    f"{EN}/content-and-annotations.html",
)


@pytest.mark.parametrize(
    "anchor", ["listwebhooks", "listwebhooks.page_size", "updatewebhook.body", "createwebhook.default"]
)
def test_an_operation_and_its_parts_are_places(tab: Any, site: str, anchor: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/index.html#{anchor}")  # from another page, by the list of names
    if "." in anchor and anchor.rpartition(".")[2] in ("body", "default"):
        page.goto(f"{site}{EN}/webhook-operations.html#{anchor}")
    page.wait_for_url(f"{site}{EN}/webhook-operations.html#{anchor}")
    page.wait_for_function(f"document.getElementById('{anchor}').getBoundingClientRect().top < 200")
    assert at_top(page, anchor)


def test_a_part_of_an_address_leads_to_its_parameter(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/webhook-operations.html#getwebhook")
    page.click("article:has(#getwebhook) .address a")
    page.wait_for_url("**#getwebhook.id")
    assert page.locator("[id='getwebhook.id']").is_visible()


@pytest.mark.parametrize(
    ("place", "text", "first"),
    [
        (EN, "pingwebhook", "PingWebhook"),
        (EN, "/webhooks/{id}:ping", "PingWebhook · /webhooks/{id}:ping"),
        (EN, "DELETE /webhooks", "DeleteWebhook · DELETE /webhooks/{id}"),
        (EN, "last_event_id", "GetInteraction.last_event_id"),
        (KO, "rotatesigning", "RotateSigningSecret"),
        (KO, "웹훅 만들기", "CreateWebhook"),
    ],
)
def test_search_finds_operations(tab: Any, site: str, place: str, text: str, first: str) -> None:
    page = tab().page
    page.goto(f"{site}{place}/index.html")
    assert search(page, text)[0] == first


def test_the_language_switcher_keeps_an_operation(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/webhook-operations.html#rotatesigningsecret.200")
    page.click(".switch:last-child summary")
    page.click(".switch:last-child a[lang=ko]")
    page.wait_for_url(f"{site}{KO}/webhook-operations.html#rotatesigningsecret.200")
    assert at_top(page, "rotatesigningsecret.200")


def test_the_contents_follow_operations_too(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/webhook-operations.html#deletewebhook")
    page.wait_for_selector(".contents a[aria-current=true]")
    assert page.inner_text(".contents a[aria-current=true]").split() == ["DELETE", "DeleteWebhook"]


def test_a_command_line_is_copied_whole(tab: Any, site: str) -> None:
    page = tab(permissions=["clipboard-read", "clipboard-write"]).page
    page.goto(f"{site}{EN}/webhook-operations.html#createwebhook")
    listing = page.locator("article:has(#createwebhook) .listing").first
    listing.hover()
    listing.locator(".copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl https://") and copied.endswith("}'") and "\\\n" in copied


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [390, 1440])
def test_no_page_scrolls_sideways(tab: Any, site: str, path: str, width: int) -> None:
    page = tab(viewport={"width": width, "height": 800}).page
    page.goto(site + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for number in range(3):
        page.evaluate(SHOW_FORMAT, number)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_no_violation(tab: Any, site: str, path: str, scheme: str) -> None:
    if not AXE.is_file():
        pytest.skip("needs axe-core from the packages of tests/node")
    page = tab(color_scheme=scheme).page
    page.goto(site + path)
    page.evaluate("document.querySelectorAll('main details').forEach(one => one.open = true)")
    page.add_script_tag(path=str(AXE))
    assert page.evaluate(RUN_AXE) == []


def test_examples_stay_in_sight_beside_the_text(tab: Any, site: str) -> None:
    """On a wide page request and response are beside what is said of them, whole in the window."""
    page = tab(viewport={"width": 1440, "height": 900}).page
    page.goto(f"{site}{EN}/interaction-operations.html#createinteraction")
    box = page.locator("article:has(#createinteraction) .beside").bounding_box()
    told = page.locator("article:has(#createinteraction) .told").bounding_box()
    assert box and told and box["x"] >= told["x"] + told["width"]
    assert box["height"] <= 900


def test_operations_are_read_without_a_script_and_on_paper(tab: Any, site: str) -> None:
    page = tab(java_script_enabled=False, viewport={"width": 390, "height": 844}).page
    page.goto(f"{site}{KO}/webhook-operations.html#pingwebhook")
    assert page.locator("article:has(#pingwebhook) .panel pre").first.is_visible()
    paper = tab().page
    paper.goto(f"{site}{EN}/webhook-operations.html")
    paper.emulate_media(media="print")
    panels = paper.locator("article:has(#createwebhook) .panel").all()
    assert len(panels) >= 2 and all(panel.is_visible() for panel in panels)
