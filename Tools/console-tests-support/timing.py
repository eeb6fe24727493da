"""Times the pages of the console with many documents.

Usage: timing.py HEARTH COUNT. Prints the milliseconds from a press to the page's answer, by the
page's own clock: the median and the maximum of some presses; and the browser's memory while many
documents are scrolled through. Ends with 1 if the page holds too many rows.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from browser import Browser
from served import Server, console

hearth, count = sys.argv[1], int(sys.argv[2])
ROUNDS = 5
SCROLLED = 200

# Presses something and waits for a text in a part of the page; the clock is the page's own.
TIMED = """
  const [act, selector, text, done] = arguments;
  const begun = performance.now();
  const look = () => {
    const found = [...document.querySelectorAll(selector)].some(part => part.innerText.includes(text));
    if (found) done(performance.now() - begun);
    else requestAnimationFrame(look);
  };
  new Function(act)();
  look();
"""


def timed(browser, name, prepare, act, selector, text):
    times = []
    for number in range(ROUNDS):
        prepare(number)
        script = act(number) if callable(act) else act
        wanted = text(number) if callable(text) else text
        times.append(browser.send("POST", "/execute/async", {
            "script": TIMED, "args": [script, selector, wanted]}))
    print(f"{name:42} {statistics.median(times):8.1f} {max(times):8.1f}", flush=True)


def hash_of(*parts):
    return f"location.hash = '#/{'/'.join(parts[:1] + ('demo-project', '(default)') + parts[1:])}'"


def fill(folder):
    file = pathlib.Path(folder) / "documents.ndjson"
    with open(file, "w") as lines:
        for number in range(count):
            lines.write(json.dumps({
                "id": f"{number:07}", "n": number, "k": number % 1000, "text": f"text {number}"}) + "\n")
    database = pathlib.Path(folder) / "demo-project" / "(default)"
    database.parent.mkdir(parents=True)
    subprocess.run(
        [hearth, "import", "big", str(file), "--id-field", "id", "--no-sync", "--db", str(database)],
        check=True, stdout=subprocess.DEVNULL)
    file.unlink()


def time_pages(browser):
    def leave(_):
        browser.run(hash_of("data"))
        browser.until("the start", lambda: "Choose a collection" in browser.text("main"))
    body = "document.querySelectorAll('.pane .body')[1]"
    timed(browser, "Data: open the collection", leave, hash_of("data", "big"), "li a", "0000000")
    timed(browser, "Data: open a document", lambda _: None,
          lambda number: f"document.querySelector('[data-id=\"{number:07}\"]').click()",
          ".fields", lambda number: f"text {number}")
    timed(browser, "Data: scroll to the next hundred", lambda _: None,
          f"{body}.scrollTop = {body}.scrollHeight", "li a", lambda number: f"{(number + 1) * 100:07}")
    browser.run(hash_of("query", "big"))
    browser.field("Conditions")
    def clear(_):
        browser.run("document.querySelector('main > div:last-child').replaceChildren()")
    run = "document.querySelector('button.main').click()"
    for conditions, orders in (("", ""), ("k == 7", ""), ("n > 500000", "n desc")):
        browser.type("Conditions", conditions)
        browser.type("Orders", orders)
        timed(browser, f"Query: {conditions or 'all'}, limit 50", clear, run, "main p", "documents,")
    for number in range(1000):
        server.document(f"big/{number:07}")
    for page, text in (("indexes", "Composite indexes"), ("requests", "calls of the last"),
                       ("rules", "No users."), ("health", "Calls a second")):
        timed(browser, f"{page.capitalize()}: open", leave, hash_of(page), "main", text)


def scroll_far(browser):
    """Scrolls through many hundreds of documents, and prints the memory and the rows."""
    console(server, browser, "data", "big")
    rows = "return document.querySelectorAll('li a[data-id]').length"
    browser.until("rows", lambda: browser.run(rows) > 0)
    print("scrolled to    rows   heap (bytes)")
    most = 0
    for page in range(1, SCROLLED + 1):
        browser.run("const body = document.querySelectorAll('.pane .body')[1];"
                    "body.scrollTop = body.scrollHeight")
        wanted = f"{min(page * 100, count - 1):07}"
        browser.until(wanted, lambda: browser.run(
            f"return !!document.querySelector('[data-id=\"{wanted}\"]')"))
        most = max(most, browser.run(rows))
        if page % (SCROLLED // 5) == 0:
            print(f"{page * 100:11} {browser.run(rows):7} {heap(browser):14}", flush=True)
    return most


def heap(browser):
    browser.emulate("HeapProfiler.collectGarbage")
    return browser.run("return performance.memory.usedJSHeapSize")


with tempfile.TemporaryDirectory() as folder:
    fill(folder)
    server = Server(folder=folder)
    browser = Browser("--enable-precise-memory-info")
    try:
        console(server, browser, "data")
        print(f"{count:,} documents: milliseconds                median      max")
        time_pages(browser)
        most = scroll_far(browser)
    finally:
        browser.end()
        server.end()
sys.exit(0 if most <= 700 else 1)
