"""Tests of the page of documents."""

import urllib.request

from served import ROOT, console, test


@test
def a_browser_is_led_to_the_console(server, browser):
    browser.open(server.address)
    browser.sees("Collections")
    assert browser.run("return location.pathname") == "/console/"
    assert urllib.request.urlopen(server.address).read() == b"Ok\n"


@test
def a_document_of_every_type_is_created(server, browser):
    values = [
        ("string", "<img src=x onerror=\"document.title='broken'\">", "stringValue"),
        ("integer", "9007199254740993", "integerValue"), ("double", "1.5", "doubleValue"),
        ("timestamp", "2026-01-31T09:30:00Z", "timestampValue"), ("bytes", "aGk=", "bytesValue"),
        ("geopoint", "35.6, 139.7", "geoPointValue"), ("reference", "cities/a", "referenceValue"),
        ("vector", "1, 2.5", "mapValue"), ("null", None, "nullValue"),
        ("boolean", None, "booleanValue"), ("map", None, "mapValue"), ("array", None, "arrayValue"),
    ]
    console(server, browser, "data")
    browser.field("Add a collection")
    browser.press("Add")
    browser.type("Id of the collection", "types")
    browser.type("Id of the document", "all")
    for number, (kind, text, _) in enumerate(values, 1):
        browser.press("Add field")
        fresh = "(//dialog//div[@role='group'])[last()]"
        name = browser.find(f"{fresh}/input")
        browser.send("POST", f"/element/{name}/value", {"text": f"f{number}"})
        option = browser.find(f"{fresh}/select/option[.='{kind}']")
        browser.send("POST", f"/element/{option}/click", {})
        if text is not None:
            value = browser.find(f"{fresh}//*[self::input or self::textarea][not(contains(@class,'name'))]")
            browser.send("POST", f"/element/{value}/clear", {})
            browser.send("POST", f"/element/{value}/value", {"text": text})
    browser.press("Create")
    browser.sees("9007199254740993", ".fields")
    fields = server.document("types/all")["fields"]
    assert [next(iter(fields[f"f{number}"])) for number in range(1, 13)] == [kind for *_, kind in values]
    assert fields["f2"] == {"integerValue": "9007199254740993"}, fields
    # Stored text is text everywhere.
    browser.sees("<img src=x", ".fields")
    console(server, browser, "query", "types")
    browser.press("Run")
    browser.sees("<img src=x", "table")
    assert browser.run("return document.images.length + document.title.includes('broken')") == 0


@test
def what_is_no_value_is_refused_in_the_form(server, browser):
    server.set("edits/a", n={"integerValue": "1"})
    console(server, browser, "data", "edits", "a")
    for text, words in (("x", "digits"), ("9223372036854775808", "64 bits")):
        browser.press("Edit")
        browser.type("Value of n", text)
        browser.press("Save")
        browser.sees(words, "dialog")
        browser.press("Cancel")
    browser.press("Edit")
    browser.type("Value of n", "2")
    browser.press("Save")
    browser.sees("2 integer", ".fields")
    assert server.document("edits/a")["fields"]["n"] == {"integerValue": "2"}


@test
def an_edit_over_a_later_change_is_refused(server, browser):
    server.set("edits/b", n={"integerValue": "1"})
    console(server, browser, "data", "edits", "b")
    browser.press("Edit")
    server.set("edits/b", n={"integerValue": "7"})
    browser.type("Value of n", "2")
    browser.press("Save")
    browser.sees("was changed meanwhile", "dialog")
    # What was typed stays.
    value = browser.field("Value of n")
    assert browser.send("GET", f"/element/{value}/property/value") == "2"
    browser.press("Cancel")
    browser.sees("7 integer", ".fields")


@test
def changes_of_others_are_shown_and_glow(server, browser):
    server.set("live/a", n={"integerValue": "1"})
    server.set("live/c", n={"integerValue": "1"})
    console(server, browser, "data", "live", "a")
    browser.sees("1 integer", ".fields")
    server.set("live/a", n={"integerValue": "5"})
    browser.until("the glow", lambda: browser.run("return !!document.querySelector('.fields .changed')"))
    browser.sees("5 integer", ".fields")
    server.set("live/b", n={"integerValue": "1"})
    ids = "return [...document.querySelectorAll('li a[data-id]')].map(link => link.dataset.id).join()"
    browser.until("b in its place", lambda: browser.run(ids) == "a,b,c")
    server.commit({"delete": f"{ROOT}/documents/live/c"})
    browser.until("c gone", lambda: browser.run(ids) == "a,b")
    server.commit({"delete": f"{ROOT}/documents/live/a"})
    browser.sees("no document here")


@test
def a_delete_says_how_much_goes(server, browser):
    server.set("trees/a", n={"integerValue": "1"})
    for number in range(3):
        server.set(f"trees/a/below/{number}")
    console(server, browser, "data", "trees", "a")
    browser.press("Delete")
    browser.sees("3 documents below it", "dialog")
    browser.press("Delete", within="//dialog")
    browser.sees("Deleted trees/a")
    assert server.document("trees/a") is None and server.document("trees/a/below/1") is None


@test
def the_keyboard_alone_will_do(server, browser):
    server.set("keys/a", n={"integerValue": "1"})
    server.set("keys/b", n={"integerValue": "2"})
    console(server, browser, "data", "keys")
    browser.sees("b", ".panes")
    browser.run("document.querySelector('li a[data-id=a]').focus()")
    browser.keys("\ue015\ue007")
    browser.sees("2 integer", ".fields")
    unnamed = browser.run("""
      return [...document.querySelectorAll('input, select, textarea, button')].filter(element =>
        !element.getAttribute('aria-label') && !element.closest('label') && !element.textContent.trim()).length""")
    assert unnamed == 0


@test
def an_edit_leaves_what_nobody_edits(server, browser):
    others = "projects/other/databases/(default)/documents/users/a"
    below = f"{ROOT}/documents/users/a/documents/b"
    vector = {"mapValue": {"fields": {
        "__type__": {"stringValue": "__vector__"},
        "value": {"arrayValue": {"values": [{"doubleValue": 1}, {"doubleValue": 0.1}]}}}}}
    server.set(
        "edits/c", n={"integerValue": "1"}, other={"referenceValue": others}, lines={"stringValue": "a\rb\r\nc"},
        list={"arrayValue": {"values": [{"referenceValue": below}]}}, vector=vector,
        text={"stringValue": "one\r\ntwo"}, mixed={"stringValue": "\na\r\nb"})
    before = server.document("edits/c")["fields"]
    console(server, browser, "data", "edits", "c")
    browser.sees(others, ".fields")
    browser.press("Edit")
    browser.type("Value of n", "2")
    browser.type("Value of text", "one\nthree")
    browser.type("Value of mixed", "\na\nc")
    browser.sees("turns all line ends into line feeds", "dialog")
    browser.press("Save")
    browser.sees("2 integer", ".fields")
    after = server.document("edits/c")["fields"]
    assert after.pop("n") == {"integerValue": "2"} and before.pop("n")
    assert after.pop("mixed") == {"stringValue": "\na\nc"} and before.pop("mixed")
    assert after.pop("text") == {"stringValue": "one\r\nthree"} and before.pop("text")
    assert after == before, after


@test
def a_delete_can_be_stopped(server, browser):
    server.set("stopped/a", n={"integerValue": "1"})
    server.fill("stopped/a/below", 1000)
    console(server, browser, "data", "stopped", "a")
    # The second batch waits until the test lets it go.
    browser.run("""
      const real = window.fetch;
      let count = 0;
      window.fetch = async (...parts) => {
        if (parts[0].includes(':commit') && (count += 1) === 2) {
          await new Promise(resolve => { window.letGo = resolve; });
        }
        return real(...parts);
      }""")
    browser.press("Delete")
    browser.sees("1,000 documents below it", "dialog")
    browser.press("Delete", within="//dialog")
    browser.until("the second batch", lambda: browser.run("return !!window.letGo"))
    browser.press("Cancel")
    browser.run("window.letGo()")
    browser.sees("Stopped: 600 documents")
    assert server.document("stopped/a")["fields"]
    assert server.document("stopped/a/below/0000600")
    browser.run("location.reload()")


@test
def a_collection_is_deleted_alone(server, browser):
    for path in ("whole/a", "whole/b", "whole/b/below/c", "whole2/a", "whol/a"):
        server.set(path)
    console(server, browser, "data", "whole")
    browser.press("Delete all")
    browser.sees("3 documents of whole and below go.", "dialog")
    browser.press("Delete", within="//dialog")
    browser.sees("Deleted whole.")
    assert server.document("whole/a") is None and server.document("whole/b/below/c") is None
    assert server.document("whole2/a") and server.document("whol/a")
