"""Serves the pages of the web tests, runs them in Chromium, and prints their outcomes.

Usage: run.py HEARTH CHROMIUM BUNDLE WORK MINUTES; with 0 minutes the tests are run, and else two tabs
are left open for that time.
"""

import http.server
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request

hearth, chromium, bundle, work, minutes = sys.argv[1:]
minutes = int(minutes)
support = pathlib.Path(__file__).parent
work = pathlib.Path(work)
LONGEST = 300


class Server:
    """The process of `hearth serve`, which a page can have started again."""

    def __init__(self):
        self.port = 0
        self.process = None
        shutil.rmtree(work / "data", ignore_errors=True)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [hearth, "serve", "--db", str(work / "data"), "--port", str(self.port), "--json"],
            stdout=subprocess.PIPE, stderr=open(work / "server.log", "ab"), text=True)
        for line in self.process.stdout:
            if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return
        sys.exit(f"The server doesn't start; see {work / 'server.log'}.")

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def restart(self):
        self.stop()
        self.start()


outcomes = queue.Queue()


class Pages(http.server.BaseHTTPRequestHandler):
    """The pages, the SDK's bundle, and what the pages ask for."""

    def do_GET(self):
        name = self.path.split("?")[0].lstrip("/") or "tests.html"
        folder = bundle if name.startswith("firebase-") else support
        file = pathlib.Path(folder) / pathlib.Path(name).name
        if not file.is_file() or file.suffix not in (".html", ".js"):
            return self.answer(404, b"")
        text = file.read_text()
        # The bundle's parts name each other by their place on the web.
        text = re.sub(r'https://www\.gstatic\.com/firebasejs/[^/"]*/', "./", text)
        kind = "text/html" if file.suffix == ".html" else "text/javascript"
        self.answer(200, text.encode(), f"{kind}; charset=utf-8")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/outcome":
            outcomes.put(json.loads(body))
        elif self.path == "/restart":
            server.restart()
        self.answer(200, b"")

    def answer(self, status, body, kind="text/plain"):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def figures():
    """The memory of the server in KiB, and its connections."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    page = urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics").read().decode()
    memory = int(re.search(r"VmRSS:\s+(\d+)", status)[1])
    return memory, int(re.search(r"hearth_server_connections (\d+)", page)[1])


def watch_tabs():
    """Prints the figures of each minute."""
    print("minute  server KiB  connections  writes  changes seen  first heap  second heap")
    tabs = {}
    for minute in range(1, minutes + 1):
        end = time.monotonic() + 60
        while (left := end - time.monotonic()) > 0:
            try:
                outcome = outcomes.get(timeout=left)
                tabs[outcome["tab"]] = outcome
            except queue.Empty:
                pass
        memory, connections = figures()
        sums = [sum(tab[name] for tab in tabs.values()) for name in ("writes", "changes")]
        heaps = [tabs[name]["heap"] if name in tabs else 0 for name in ("first", "second")]
        print(f"{minute:6}  {memory:10}  {connections:11}  {sums[0]:6}  {sums[1]:12}  "
              f"{heaps[0]:10}  {heaps[1]:11}", flush=True)
    return len(tabs) == 2


def run_tests():
    """Prints the outcome of each test; returns whether all have passed."""
    passed = failed = 0
    isWhole = False
    while not isWhole:
        outcome = outcomes.get(timeout=LONGEST)
        isWhole = outcome.get("isLast", False)
        if "name" not in outcome:
            continue
        error = outcome.get("error")
        print(f"{outcome['name']}: {error or 'passed'} ({outcome['milliseconds']} ms)", flush=True)
        if error:
            failed += 1
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return passed and not failed


server = Server()
pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
threading.Thread(target=pages.serve_forever, daemon=True).start()
profile = work / "profile"
shutil.rmtree(profile, ignore_errors=True)
browser = subprocess.Popen(
    [
        chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-popup-blocking", "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
        "--no-first-run", f"--user-data-dir={profile}", "--js-flags=--expose-gc",
        "--enable-precise-memory-info", f"http://127.0.0.1:{pages.server_port}/"
        f"{'long' if minutes else 'tests'}.html?port={server.port}",
    ],
    stdout=subprocess.DEVNULL, stderr=open(work / "browser.log", "wb"))
isWell = False
try:
    isWell = watch_tabs() if minutes else run_tests()
except queue.Empty:
    print(f"The pages said nothing for {LONGEST} s; see {work / 'browser.log'}.")
finally:
    browser.terminate()
    browser.wait()
    server.stop()
sys.exit(0 if isWell else 1)
