"""Tests of the console. Usage: run.py HEARTH SHOTS; SHOTS is empty for no pictures."""

import pathlib
import re
import sys
import time

import data_tests
import list_tests
import overview_tests
import query_tests
import safety_tests
from browser import Browser
from served import Server, console, tests

shots = sys.argv[2]


def picture(server, browser):
    server.set("cities/tokyo", name={"stringValue": "Tokyo"}, country={"stringValue": "JP"},
               population={"integerValue": "9733276"}, place={"geoPointValue": {"latitude": 35.69, "longitude": 139.69}})
    server.set("cities/kyoto", name={"stringValue": "Kyoto"}, country={"stringValue": "JP"}, population={"integerValue": "1463723"})
    for colour in ("light", "dark"):
        for width in (1280, 400):
            browser.emulate("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
            browser.emulate("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colour}])
            for page, path, words in (
                    ("data", ["cities", "tokyo"], "9733276"), ("query", ["cities"], "Query"), ("indexes", [], "Composite"),
                    ("requests", [], "RunQuery"), ("rules", [], "Users"), ("health", [], "Memory")):
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
EXPECTED = re.compile(r"(:(runQuery|runAggregationQuery|commit)|/accounts).*status of 400|status of 40[13]")
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
            print(f"{body.__name__}: {type(error).__name__} {error}\n{browser.text()[:2500]}", flush=True)
            print("\n".join(browser.errors()), flush=True)
    if shots:
        pictured = Server()
        picture(pictured, browser)
        pictured.end()
finally:
    browser.end()
    server.end()
print(f"{len(tests) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
