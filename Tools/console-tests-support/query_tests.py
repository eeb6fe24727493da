"""Tests of the pages of queries and of indexes."""

import json

from served import ROOT, console, test


@test
def a_refused_query_gets_its_index(server, browser):
    server.fill("things", 3000)
    console(server, browser, "query", "things")
    browser.type("Conditions", "k == 3 && n > 10")
    browser.press("Run")
    browser.sees("The query requires an index")
    browser.sees("(k ASC, n ASC) of things")
    browser.press("Create this index")
    browser.sees("50 documents", "main")
    browser.sees("index entries scanned")
    browser.press("As code")
    browser.choose("Language", "Python")
    browser.sees('FieldFilter("k", "==", 3)', "pre")


@test
def conditions_that_are_none_are_told(server, browser):
    console(server, browser, "query", "things")
    for text, words in (("k ==", "value is missing"), ("k = 1", "can't be read"), ("(k == 1", "A ) is missing")):
        browser.type("Conditions", text)
        browser.press("Run")
        browser.sees(words, "main")


@test
def indexes_are_created_and_dropped(server, browser):
    console(server, browser, "indexes")
    browser.press("Create an index")
    browser.type("Id of the collections", "things")
    for number, name in ((1, "a"), (2, "b")):
        field = browser.find(f"(//dialog//input[@aria-label='Field'])[{number}]")
        browser.send("POST", f"/element/{field}/value", {"text": name})
    browser.press("Create")
    browser.sees("(a ASC, b ASC)", "table")
    index = '{"collectionGroup": "things", "queryScope": "COLLECTION_GROUP", "fields": [' \
        '{"fieldPath": "c", "order": "DESCENDING"}, {"fieldPath": "d", "arrayConfig": "CONTAINS"}]}'
    browser.press("From a link or a file")
    browser.type("Link or file", index)
    browser.press("Create", within="//dialog")
    browser.sees("(c DESC, d CONTAINS)", "table")
    browser.press("From a link or a file")
    browser.type("Link or file", '{"fieldOverrides": [{"collectionGroup": "things", "fieldPath": "e.f", "ttl": true, '
                 '"indexes": [{"queryScope": "COLLECTION_GROUP", "order": "DESCENDING"}]}]}')
    browser.press("Create", within="//dialog")
    browser.sees("group descending", "main")
    browser.sees("time to live", "main")
    browser.press("Export firestore.indexes.json")
    browser.sees("CONTAINS", "dialog pre")
    file = json.loads(browser.text("dialog pre"))
    assert any(entry["fields"][-1] == {"fieldPath": "d", "arrayConfig": "CONTAINS"} for entry in file["indexes"]), file
    browser.press("Done")
    drop = browser.field("Drop (a ASC, b ASC) of things")
    browser.send("POST", f"/element/{drop}/click", {})
    browser.press("Drop", within="//dialog")
    browser.until("it gone", lambda: "(a ASC, b ASC)" not in browser.text("main"))


@test
def odd_fields_and_limits_are_shown(server, browser):
    server.set("odd/a", **{"end.": {"integerValue": "1"}, "a`b": {"integerValue": "22"},
                           "toString": {"integerValue": "333"}})
    server.set("odd/b")
    console(server, browser, "query", "odd")
    browser.press("Run")
    browser.sees("end.", "table")
    browser.sees("333", "table")
    assert "native code" not in browser.text("main")
    # Without a limit nothing is asked.
    browser.type("Limit", "")
    browser.run("document.querySelector('main > div:last-child').replaceChildren()")
    browser.press("Run")
    assert browser.text("table") == ""


@test
def hidden_indexes_serve_nothing(server, browser):
    server.fill("hiding", 20)
    server.call("POST", f"{ROOT}/collectionGroups/hiding/indexes", {"queryScope": "COLLECTION", "fields": [
        {"fieldPath": "k", "order": "ASCENDING"}, {"fieldPath": "n", "order": "ASCENDING"}]})
    def run():
        console(server, browser, "query", "hiding")
        browser.type("Conditions", "k == 3 && n > 1")
        browser.type("Limit", "50")
        browser.press("Run")
    def press(label):
        element = browser.field(f"{label} (k ASC, n ASC) of hiding")
        browser.send("POST", f"/element/{element}/click", {})
    run()
    browser.sees("3 documents", "main")
    browser.press("Why other indexes are not used")
    browser.sees("automatic", "main")
    console(server, browser, "indexes")
    browser.sees("READY", "table")
    press("Hide")
    browser.sees("READY, hidden", "table")
    run()
    browser.sees("The query requires an index")
    console(server, browser, "indexes")
    press("Show")
    browser.until("it shown", lambda: "hidden" not in browser.text("table"))
    run()
    browser.sees("3 documents", "main")


@test
def fields_get_indexes_of_their_own(server, browser):
    console(server, browser, "indexes")
    browser.press("Change a field")
    browser.type("Id of the collections", "exempt")
    browser.type("Field", "text")
    box = browser.find("//dialog//label[normalize-space()='group ascending']/input")
    browser.send("POST", f"/element/{box}/click", {})
    browser.press("Apply")
    browser.sees("exempt\ttext\tgroup ascending", "main")
    field = server.call("GET", f"{ROOT}/collectionGroups/exempt/fields/text")
    assert [index["queryScope"] for index in field["indexConfig"]["indexes"]] == ["COLLECTION_GROUP"], field
    reset = browser.field("Reset text of exempt")
    browser.send("POST", f"/element/{reset}/click", {})
    browser.press("Reset", within="//dialog")
    browser.until("it gone", lambda: "exempt" not in browser.text("main"))
