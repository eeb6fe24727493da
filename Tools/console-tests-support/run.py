"""Tests of the console. Usage: run.py HEARTH SHOTS; SHOTS is empty for no pictures."""

import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from browser import Browser, Failure

hearth, shots = sys.argv[1:]
ROOT = "projects/demo-project/databases/(default)"
TOKEN = "a-token-of-24-letters-00"


class Server:
    def __init__(self, *options):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [hearth, "serve", "--db", self.folder, "--port", "0", "--json", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]
        self.address = f"http://127.0.0.1:{self.port}"

    def call(self, method, path, body=None, token="owner"):
        request = urllib.request.Request(
            f"{self.address}/v1/{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"authorization": f"Bearer {token}"})
        try:
            return json.load(urllib.request.urlopen(request))
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def document(self, path):
        return self.call("GET", f"{ROOT}/documents/{path}")

    def commit(self, *writes):
        self.call("POST", f"{ROOT}/documents:commit", {"writes": writes})

    def set(self, path, **fields):
        self.commit({"update": {"name": f"{ROOT}/documents/{path}", "fields": fields}})

    def fill(self, collection, count):
        for start in range(0, count, 500):
            self.commit(*({"update": {
                "name": f"{ROOT}/documents/{collection}/{number:07}",
                "fields": {"n": {"integerValue": str(number)}, "k": {"integerValue": str(number % 7)}},
            }} for number in range(start, min(start + 500, count))))

    def end(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def console(server, browser, page, *path):
    browser.open(f"{server.address}/console/#/" + "/".join([page, "demo-project", "(default)", *path]))


tests = []


def test(body):
    tests.append(body)
    return body


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
    browser.press("Go on")
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
def pages_of_other_origins_get_nothing(server, browser):
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<p>other</p>")

        def log_message(self, *_):
            pass

    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    browser.open(f"http://other.test:{pages.server_port}/")
    fetching = """
      const done = arguments[arguments.length - 1];
      fetch(arguments[0], arguments[1]).then(answer => done(answer.status), () => done('blocked'))"""
    def fetched(path, **options):
        return browser.send("POST", "/execute/async", {
            "script": fetching, "args": [f"{server.address}{path}", options]})
    documents = f"/v1/{ROOT}/documents"
    assert fetched(f"{documents}/types/all") == "blocked"
    write = json.dumps({"writes": [{"update": {"name": f"{ROOT}/documents/stolen/a", "fields": {}}}]})
    # Without a preflight, as forms and old pages send.
    fetched(f"{documents}:commit", method="POST", body=write, mode="no-cors")
    assert server.document("stolen/a") is None
    assert fetched("/console/setting.json") == "blocked"
    # Another page of this machine may use the database, and not the console's files.
    browser.open(f"http://127.0.0.1:{pages.server_port}/")
    assert fetched("/console/setting.json") == 403
    browser.run(
        "const frame = document.createElement('iframe'); frame.src = arguments[0]; document.body.append(frame)",
        f"{server.address}/console/")
    browser.errors()


@test
def a_token_is_asked_for(_, browser):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(TOKEN)
        file.flush()
        server = Server("--token-file", file.name)
        try:
            console(server, browser, "data")
            browser.type("Token", "another")
            browser.press("Use it")
            browser.until("the question again", lambda: browser.run("return document.querySelector('dialog input').value") == "")
            browser.type("Token", TOKEN)
            browser.press("Use it")
            browser.sees("No collections.")
            browser.errors()
        finally:
            server.end()


def picture(server, browser):
    server.set("cities/tokyo", name={"stringValue": "Tokyo"}, country={"stringValue": "JP"},
               population={"integerValue": "9733276"}, place={"geoPointValue": {"latitude": 35.69, "longitude": 139.69}})
    server.set("cities/kyoto", name={"stringValue": "Kyoto"}, country={"stringValue": "JP"}, population={"integerValue": "1463723"})
    for colour in ("light", "dark"):
        for width in (1280, 400):
            browser.emulate("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
            browser.emulate("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colour}])
            for page, path, words in (("data", ["cities", "tokyo"], "9733276"), ("query", ["cities"], "Query"), ("indexes", [], "Composite")):
                console(server, browser, page, *path)
                browser.sees(words, "main")
                if page == "query":
                    browser.type("Conditions", 'country == "JP"')
                    browser.type("Orders", "population desc")
                    browser.press("Run")
                    browser.sees("index", "main .notice, main table")
                browser.shot(pathlib.Path(shots) / f"{page}-{colour}-{width}.png")


server = Server()
browser = Browser("--host-resolver-rules=MAP other.test 127.0.0.1")
failed = 0
# The browser logs each refusal that a test wants to see.
EXPECTED = re.compile(r":(runQuery|commit).*status of 400|status of 40[13]")
try:
    for body in tests:
        begun = time.monotonic()
        try:
            body(server, browser)
            faults = [line for line in browser.errors() if not EXPECTED.search(line)]
            assert not faults, faults
            print(f"{body.__name__}: passed ({(time.monotonic() - begun) * 1000:.0f} ms)", flush=True)
        except Exception as error:
            failed += 1
            print(f"{body.__name__}: {type(error).__name__} {error}\n{browser.text()[:600]}", flush=True)
            browser.errors()
    if shots:
        picture(server, browser)
finally:
    browser.end()
    server.end()
print(f"{len(tests) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
