"""The site in a real browser: it finds, folds open, keeps the place, is read without a script, and is used without a mouse."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

RUN_AXE = """axe.run(document, {resultTypes: ['violations']}).then(run =>
  run.violations.map(one => [one.id, one.help, one.nodes.slice(0, 3).map(node => node.html)]))"""
SHOW_FORMAT = """number => document.querySelectorAll('.tabs').forEach(one => {
  const all = one.querySelectorAll('input')
  if (all[number]) all[number].checked = true
})"""
WATCH_SHIFTS = """window.moved = 0
new PerformanceObserver(list => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value
}).observe({ type: 'layout-shift', buffered: true })"""
AXE = Path(__file__).parents[1] / "node" / "node_modules" / "axe-core" / "axe.min.js"
EN, KO, NEXT = "/ag-ui/1.0/en", "/ag-ui/1.0/ko", "/ag-ui/1.1/ko"
PAGES = (
    "/index.html",
    f"{EN}/index.html",
    f"{EN}/events.html",
    f"{KO}/messages.html",
    f"{KO}/common-types.html",
    f"{EN}/all.html",
    f"{NEXT}/changes.html",
    f"{NEXT}/messages.html",
)

has_full_text = pytest.mark.skipif(
    importlib.util.find_spec("pagefind") is None, reason="needs Pagefind (the extra docs) for full-text search"
)


def at_top(page: Any, anchor: str) -> bool:
    """The place is at the top of the window, below the bar."""
    top = page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", anchor)
    return bool(40 <= top <= 200)


def search(page: Any, text: str) -> list[str]:
    """What the search offers for a text, in order, once it has counted it."""
    page.fill("#Search", "")
    page.evaluate("document.querySelector('.search [role=status]').textContent = ''")
    page.fill("#Search", text)
    page.wait_for_function("document.querySelector('.search [role=status]').textContent !== ''")
    return [" ".join(option.split()) for option in page.locator("#Results b").all_inner_texts()]


# --- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("anchor", ["toolcallresultevent", "toolcallresultevent.content", "event"])
def test_an_anchor_scrolls_to_its_place(tab: Any, site: str, anchor: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/events.html#{anchor}")
    page.wait_for_function(f"document.getElementById('{anchor}').getBoundingClientRect().top < 200")
    if anchor != "event":  # the last of its page may not get to the top
        assert at_top(page, anchor)


def test_a_folded_place_is_opened(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/events.html#textmessagestartevent.rawevent")
    assert page.locator("[id='textmessagestartevent.rawevent']").is_visible()
    assert at_top(page, "textmessagestartevent.rawevent")
    assert not page.locator("[id='textmessageendevent.rawevent']").is_visible()
    page.evaluate("location.hash = '#textmessageendevent.rawevent'")
    page.wait_for_function("document.getElementById('textmessageendevent.rawevent').checkVisibility()")


def test_an_anchor_of_another_page_is_followed(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/index.html#assistantmessage.toolcalls")
    page.wait_for_url(f"{site}{EN}/messages.html#assistantmessage.toolcalls")
    assert at_top(page, "assistantmessage.toolcalls")


def test_an_anchor_that_nobody_has_is_told(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{KO}/events.html#nobody")
    page.wait_for_selector(".notice:not([hidden])")
    assert "nobody" in page.inner_text(".notice")


def test_the_contents_follow_the_reader(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/events.html#rawevent")
    page.wait_for_selector(".contents a[aria-current=true]")
    assert page.inner_text(".contents a[aria-current=true]") == "RawEvent"
    box = page.locator(".contents a[aria-current=true]").bounding_box()
    assert box and 0 < box["y"] < 900


def test_the_filter_leaves_what_is_wanted(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/events.html")
    page.fill("#Filter", "PATCH")
    shown = [link.inner_text() for link in page.locator(".contents details li a").all() if link.is_visible()]
    assert shown == ["JsonPatchOperation", "JsonPatch"]
    page.fill("#Filter", "")
    assert page.locator(".contents details[open]").count() == 1


# --- search -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "text", "first"),
    [
        (EN, "messagesnap", "MessagesSnapshotEvent"),
        (EN, "MessagesSnapshotEvent", "MessagesSnapshotEvent"),
        (EN, "tool", "Tool"),
        (EN, "parentMessageId", "ToolCallStartEvent.parentMessageId"),
        (EN, "STATE_DELTA", "StateDeltaEvent · STATE_DELTA"),
        (EN, "run agent input", "RunAgentInput"),
        (KO, "messagesnap", "MessagesSnapshotEvent"),
        (KO, "도구 호출", "ToolCallStartEvent"),
        (KO, "하위 에이전트", None),
    ],
)
def test_search_finds_the_definition_first(tab: Any, site: str, place: str, text: str, first: str | None) -> None:
    page = tab().page
    page.goto(f"{site}{place}/run-input.html")
    found = search(page, text)
    assert found
    if first:
        assert found[0] == first


@has_full_text
@pytest.mark.parametrize(
    ("place", "text", "definition"),
    [
        (EN, "healthy", "TextMessageContentEvent"),
        (EN, "observers", "RunStartedEvent"),
        (KO, "검증기", "TextMessageStartEvent"),  # the text has it with a particle
    ],
)
def test_search_finds_words_of_the_texts(tab: Any, site: str, place: str, text: str, definition: str) -> None:
    page = tab().page
    page.goto(f"{site}{place}/index.html")
    page.fill("#Search", text)
    page.wait_for_selector("#Results mark")
    assert definition in search(page, text)


def test_search_says_that_it_found_nothing(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/index.html")
    assert search(page, "qqqzzzxxx") == []
    assert "Nothing found" in page.inner_text("#Results")


def test_search_by_keyboard_alone(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/index.html")
    page.keyboard.press("/")
    page.keyboard.type("statesnapshotevent")
    page.wait_for_selector("#Results a[aria-selected=true]")
    assert page.get_attribute("#Search", "aria-activedescendant")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}{EN}/events.html#statesnapshotevent")
    page.keyboard.press("/")
    page.keyboard.type("x")
    page.wait_for_selector("#Results:not([hidden])")
    page.keyboard.press("Escape")
    assert page.locator("#Results").is_hidden()


def test_names_are_found_from_the_disk(tab: Any, folder: Path) -> None:
    page = tab().page
    page.goto(f"file://{folder}{EN}/index.html")
    assert search(page, "messagesnap")[0] == "MessagesSnapshotEvent"
    page.keyboard.press("Enter")
    page.wait_for_url("**/events.html#messagessnapshotevent")


# --- switchers --------------------------------------------------------------------------------------------------------


def test_the_language_switcher_keeps_the_place(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/events.html#customevent.value")
    page.click(".switch:last-child summary")
    page.click(".switch:last-child a[lang=ko]")
    page.wait_for_url(f"{site}{KO}/events.html#customevent.value")
    assert at_top(page, "customevent.value")


def test_the_version_switcher_keeps_the_place(tab: Any, versions: str) -> None:
    page = tab().page
    page.goto(f"{versions}/shop/1/en/orders.html#order.id")
    page.click(".switch:first-child summary")
    page.click(".switch:first-child a:has-text('2')")
    page.wait_for_url(f"{versions}/shop/2/en/orders.html#order.id")
    page.goto(f"{versions}/shop/1/en/rest.html#old")
    page.click(".switch:first-child summary")
    page.click(".switch:first-child a:has-text('2')")
    page.wait_for_selector(".notice:not([hidden])")
    assert page.url == f"{versions}/shop/2/en/rest.html#old"


def test_what_changed_leads_to_what_is_new_and_back_to_the_version_before(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{NEXT}/changes.html")
    page.click("main a:has-text('ToolMessage.encryptedValueType')")
    page.wait_for_url(f"{site}{NEXT}/messages.html#toolmessage.encryptedvaluetype")
    assert at_top(page, "toolmessage.encryptedvaluetype")
    assert page.locator("[id='toolmessage.encryptedvaluetype'] .badge").all_inner_texts() == ["1.1부터"]
    page.goto(f"{site}{NEXT}/messages.html#toolmessage.error")
    page.click(".switch:first-child summary")
    page.click(".switch:first-child a:has-text('1.0')")
    page.wait_for_url(f"{site}{KO}/messages.html#toolmessage.error")
    assert page.locator(".badge").count() == 0
    page.goto(f"{site}{NEXT}/changes.html")
    page.click(".switch:first-child summary")
    page.click(".switch:first-child a:has-text('1.0')")
    page.wait_for_url(f"{site}{KO}/index.html")


def test_a_former_name_arrives(tab: Any, versions: str) -> None:
    page = tab().page
    page.goto(f"{versions}/shop/2/en/index.html#old2")
    page.wait_for_url(f"{versions}/shop/2/en/rest.html#old2")


def test_a_switcher_closes(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/index.html")
    page.click(".switch:last-child summary")
    page.keyboard.press("Escape")
    assert page.locator(".switch[open]").count() == 0
    page.click(".switch:last-child summary")
    page.click("h1")
    assert page.locator(".switch[open]").count() == 0


# --- examples ---------------------------------------------------------------------------------------------------------


def test_a_format_once_chosen_is_shown_everywhere(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/messages.html")
    page.click("label[for='assistantmessage:1']")
    assert page.locator("[id='usermessage:1']").is_checked()
    assert page.locator(".panel:visible pre").first.inner_text().startswith("from ag_ui_bindings import")
    page.goto(f"{site}{EN}/events.html")
    assert page.locator("[id='rawevent:1']").is_checked()
    page.focus("[id='rawevent:1']")
    page.keyboard.press("ArrowRight")
    assert page.locator("[id='rawevent:2']").is_checked()


def test_code_is_copied(tab: Any, site: str) -> None:
    page = tab(permissions=["clipboard-read", "clipboard-write"]).page
    page.goto(f"{site}{EN}/messages.html")
    listing = page.locator("article:has(#assistantmessage) .listing").first
    listing.hover()
    listing.locator(".copy").click()
    assert page.evaluate("navigator.clipboard.readText()") == listing.locator("pre").inner_text()
    assert listing.locator(".copy").inner_text() == "Copied"


# --- everywhere -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [390, 1440])
def test_no_page_scrolls_sideways(tab: Any, site: str, path: str, width: int) -> None:
    page = tab(viewport={"width": width, "height": 800}).page
    page.goto(site + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # What is folded, or shown in another format, fits as well.
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


def test_axe_finds_no_violation_in_results_and_menus(tab: Any, site: str) -> None:
    if not AXE.is_file():
        pytest.skip("needs axe-core from the packages of tests/node")
    for settings in ({}, {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}):
        page = tab(**settings).page
        page.goto(f"{site}{EN}/events.html")
        search(page, "tool")
        page.add_script_tag(path=str(AXE))
        assert page.evaluate(RUN_AXE) == []
        page.keyboard.press("Escape")
        if settings:
            page.click(".menu")
            assert page.locator("#Contents").is_visible()
            assert page.evaluate(RUN_AXE) == []


def test_on_a_phone_the_contents_open_and_close(tab: Any, site: str) -> None:
    page = tab(viewport={"width": 390, "height": 844}).page
    page.goto(f"{site}{KO}/events.html")
    assert page.locator("#Contents").is_hidden()
    page.click(".menu")
    assert page.locator("#Contents").is_visible()
    page.click("#Contents a[href='#toolcallendevent']")
    page.wait_for_url("**#toolcallendevent")
    assert page.locator("#Contents").is_hidden()


@pytest.mark.parametrize("width", [390, 1440])
def test_every_page_is_read_without_a_script(tab: Any, site: str, width: int) -> None:
    page = tab(java_script_enabled=False, viewport={"width": width, "height": 900}).page
    page.goto(f"{site}{EN}/messages.html#usermessage")
    assert page.locator("#usermessage").is_visible()
    assert page.locator("#Search").is_hidden() and page.locator("#Filter").is_hidden()
    page.click("article:has(#usermessage) details.inherited summary")
    assert page.locator("[id='usermessage.id']").is_visible()
    page.click("label[for='usermessage:1']")
    assert page.locator("article:has(#usermessage) .panel").nth(1).is_visible()
    page.click("article:has(#usermessage) details.used summary")
    page.click(".switch:last-child summary")
    page.click(".switch:last-child a[lang=ko]")
    assert page.url == f"{site}{KO}/messages.html"
    if width == 390:
        page.click(".menu")
    (
        page.click(".contents a:has-text('RunAgentInput')")
        if page.locator(".contents a:has-text('RunAgentInput')").is_visible()
        else None
    )
    assert page.title()


def test_paper_shows_what_is_folded(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/messages.html")
    page.emulate_media(media="print")
    assert page.locator("[id='usermessage.metadata']").is_visible()
    assert all(panel.is_visible() for panel in page.locator("article:has(#usermessage) .panel").all())
    assert page.locator(".top").is_hidden() and page.locator(".contents").is_hidden()


def test_focus_is_seen(tab: Any, site: str) -> None:
    page = tab().page
    page.goto(f"{site}{EN}/events.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    box = page.locator(".skip").bounding_box()
    assert box and box["y"] >= 0
    for _ in range(12):
        page.keyboard.press("Tab")
        width = page.evaluate(
            "(() => { const one = document.activeElement; const label = one.matches('.tabs > input') ? one.labels[0] : one;"
            "return getComputedStyle(label).outlineStyle })()"
        )
        assert width != "none", page.evaluate("document.activeElement.outerHTML.slice(0, 120)")


def test_nothing_moves_once_it_is_seen(tab: Any, site: str) -> None:
    page = tab().page
    page.add_init_script(WATCH_SHIFTS)
    page.goto(f"{site}{KO}/events.html")
    page.wait_for_timeout(600)
    assert page.evaluate("window.moved") < 0.02
