"""Tests of the pages of requests, of rules and users, and of health."""

import tempfile
import urllib.error

from served import ROOT, Server, console, test

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{d}/documents {
    match /cities/{id} {
      allow read: if true;
      allow write: if request.auth != null
        && request.auth.token.admin == true;
    }
  }
}
"""


def is_refused(server, path, body):
    try:
        server.call("POST", path, body)
    except urllib.error.HTTPError as error:
        assert error.code == 400
    else:
        raise AssertionError("the query is answered")


def refused(server, collection):
    query = {"from": [{"collectionId": collection}], "orderBy": [{"field": {"fieldPath": "n"}}],
             "where": {"fieldFilter": {"field": {"fieldPath": "k"}, "op": "EQUAL",
                                       "value": {"integerValue": "3"}}}}
    is_refused(server, f"{ROOT}/documents:runQuery", {"structuredQuery": query})


@test
def calls_are_listed_with_refusals_first(server, browser):
    server.fill("called", 50)
    refused(server, "called")
    server.document("called/0000001")
    console(server, browser, "requests")
    browser.sees("called where k == 3 order by n", "table")
    first = "return document.querySelector('tbody tr').innerText"
    assert "FAILED_PRECONDITION" in browser.run(first), browser.run(first)
    browser.type("Find", "called")
    browser.choose("Order", "latest first")
    browser.until("the latest call", lambda: "GetDocument" in browser.run(first))
    browser.type("Find", "called where")
    browser.until("one row", lambda: browser.run("return document.querySelectorAll('tbody tr').length") == 1)
    # Calls of others appear by themselves.
    browser.type("Find", "other/new")
    server.set("other/new")
    server.document("other/new")
    browser.until("the new call", lambda: "GetDocument" in browser.text("tbody"))
    browser.type("Find", "called where")
    browser.press("RunQuery")
    browser.sees("The index that it needs", "main")
    browser.sees('"collectionId": "called"', "main")
    browser.press("Create this index")
    browser.sees("Plan", "main")
    assert "The index that it needs" not in browser.text("main")
    browser.press("Why other indexes are not used")
    browser.sees("where the query", "main")


@test
def the_health_is_plotted(server, browser):
    console(server, browser, "health")
    browser.sees("Calls a second")
    assert browser.run("return document.querySelectorAll('figure polyline').length") == 10
    browser.sees("listeners:")
    browser.sees("MiB now")
    browser.sees("Builds that run")


@test
def rules_are_tried_and_coloured(_, browser):
    with tempfile.NamedTemporaryFile("w", suffix=".rules") as file:
        file.write(RULES)
        file.flush()
        server = Server("--rules", file.name, "--record-coverage")
        try:
            server.set("cities/a", n={"integerValue": "1"})
            server.call("GET", f"{ROOT}/documents/cities/a", token=None)
            console(server, browser, "rules")
            browser.sees("allow read: if true;", ".listing")
            held = "return [...document.querySelectorAll('.held')].map(line => line.innerText).join()"
            browser.until("the coverage", lambda: "allow read" in browser.run(held))
            browser.choose("Method", "update")
            browser.type("Path", "cities/a")
            browser.press("Try")
            browser.sees("Denied", "main")
            browser.sees("Line 6", "main")
            browser.type("User", "ada")
            browser.type("Claims", '{"admin": true}')
            browser.press("Try")
            browser.sees("Allowed", "main")
            browser.sees("request.auth.token.admin → true", "main")
            browser.type("Path", "cities/new")
            browser.press("Try")
            browser.sees("There is no document: a write there would create one.", "main")
            browser.sees("← true 1, false 0, failed 0", ".listing")
            browser.type("Claims", "admin")
            browser.press("Try")
            browser.sees("The claims are an object in JSON.", "main")
        finally:
            server.end()


@test
def users_are_added_disabled_and_deleted(server, browser):
    console(server, browser, "rules")
    browser.sees("every caller may read and write everything")
    browser.sees("No users.")
    browser.press("Add a user")
    browser.type("Address", "ada@example.com")
    browser.type("Password", "short")
    browser.press("Add", within="//dialog")
    browser.sees("WEAK_PASSWORD", "dialog")
    browser.type("Password", "secret-1")
    browser.press("Add", within="//dialog")
    browser.sees("ada@example.com", "table")
    browser.press("Disable")
    browser.sees("disabled", "table")
    browser.press("Enable")
    browser.sees("enabled", "table")
    browser.press("Delete")
    browser.press("Delete", within="//dialog")
    browser.sees("No users.")


@test
def a_refusal_of_another_database_gets_its_index_there(server, browser):
    other = "projects/other-project/databases/(default)"
    query = {"structuredAggregationQuery": {
        "aggregations": [{"alias": "n", "count": {}}], "structuredQuery": {
            "from": [{"collectionId": "orders"}], "where": {"compositeFilter": {"op": "AND", "filters": [
                {"fieldFilter": {"field": {"fieldPath": "k"}, "op": "EQUAL", "value": {"integerValue": "3"}}},
                {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "GREATER_THAN",
                                 "value": {"integerValue": "3"}}}]}}}}}
    is_refused(server, f"{other}/documents:runAggregationQuery", query)
    console(server, browser, "requests")
    browser.type("Find", "orders")
    browser.sees("other-project / (default): ", "tbody")
    browser.press("RunAggregationQuery")
    browser.press("Create this index")
    browser.until("the plan", lambda: "The index that it needs" not in browser.text("main"))
    def indexes(database):
        return server.call("GET", f"{database}/collectionGroups/orders/indexes").get("indexes", [])
    assert len(indexes(other)) == 1 and not indexes(ROOT)


@test
def a_server_that_begins_anew_is_followed(_, browser):
    server = Server()
    try:
        for number in range(3):
            server.document(f"before/{number}")
        console(server, browser, "requests")
        browser.sees("before/2", "tbody")
        server.restart()
        server.document("after/new")
        browser.sees("after/new", "tbody")
        assert "before/2" not in browser.text("tbody")
        browser.errors()
    finally:
        server.end()
