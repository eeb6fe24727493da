"""Tests of long lists of documents."""

from served import ROOT, console, test

IDS = "return [...document.querySelectorAll('li a[data-id]')].map(link => link.dataset.id)"


def scroll(browser, place):
    browser.run("document.querySelectorAll('.pane .body')[1].scrollTop = arguments[0]", place)


def settled(browser):
    """Returns the ids in the page once nothing is loaded any more."""
    last = None
    def same():
        nonlocal last
        ids = browser.run(IDS)
        isBusy = browser.run("return !!document.querySelector('.pane .body[aria-busy]')")
        isSame, last = not isBusy and ids == last and ids, ids
        return isSame
    return browser.until("rows that stay", same)


def walk(browser):
    """Scrolls from the first document to the last, and returns the ids in their order."""
    scroll(browser, 0)
    known, place, most = {}, 0, 0
    while True:
        ids = settled(browser)
        assert ids == sorted(ids), "the rows are out of order"
        most = max(most, len(ids))
        known.update(dict.fromkeys(ids))
        height = browser.run("return document.querySelectorAll('.pane .body')[1].scrollHeight")
        if place > height:
            return list(known), most
        place += 1000
        scroll(browser, place)


@test
def long_lists_hold_few_rows(server, browser):
    server.fill("long", 4000)
    console(server, browser, "data", "long")
    rows = "return document.querySelectorAll('li a[data-id]').length"
    last = "return [...document.querySelectorAll('li a[data-id]')].at(-1)?.dataset.id"
    browser.until("rows", lambda: browser.run(rows) > 0)
    scroll = "const body = document.querySelectorAll('.pane .body')[1]; body.scrollTop = {};"
    most = 0
    def at_the_end():
        nonlocal most
        browser.run(scroll.format("body.scrollHeight"))
        most = max(most, browser.run(rows))
        return browser.run(last) == "0003999"
    browser.until("the last document", at_the_end)
    assert most <= 700, most
    browser.run(scroll.format("0"))
    browser.until("the first document", lambda: browser.run(
        "return document.querySelector('li a[data-id]').dataset.id") == "0000000")
    assert browser.run(rows) <= 700


@test
def lists_that_change_have_neither_holes_nor_doubles(server, browser):
    def commit(names, write):
        for start in range(0, len(names), 500):
            server.commit(*(write(f"{ROOT}/documents/changing/{name}") for name in names[start:start + 500]))
    server.fill("changing", 1500)
    console(server, browser, "data", "changing")
    walk(browser)
    # The first pages are given up by now.
    gone = [f"{number:07}" for number in range(0, 250)]
    added = [f"0000300-{number:04}" for number in range(350)]
    commit(gone, lambda name: {"delete": name})
    commit(added, lambda name: {"update": {"name": name, "fields": {}}})
    expected = sorted({f"{number:07}" for number in range(250, 1500)} | set(added))
    found, most = walk(browser)
    assert found == expected, (len(found), len(expected))
    assert most <= 700, most
    # Those that come into the visible part.
    scroll(browser, 0)
    settled(browser)
    live = [f"0000250-{number:04}" for number in range(1200)]
    commit(live, lambda name: {"update": {"name": name, "fields": {}}})
    browser.until("the first of them", lambda: "0000250-0000" in browser.run(IDS))
    assert len(settled(browser)) <= 700
    found, most = walk(browser)
    assert found == sorted(expected + live), (len(found), len(expected) + 1200)
    assert most <= 700, most
