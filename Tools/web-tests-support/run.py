"""Serves the pages of the web tests, runs them in Chromium, and prints their outcomes.

Usage: run.py HEARTH CHROMIUM BUNDLE WORK
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

hearth, chromium, bundle, work = sys.argv[1:]
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
        "--no-first-run", f"--user-data-dir={profile}",
        f"http://127.0.0.1:{pages.server_port}/tests.html?port={server.port}",
    ],
    stdout=subprocess.DEVNULL, stderr=open(work / "browser.log", "wb"))
passed = failed = 0
isWhole = False
try:
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
except queue.Empty:
    print(f"The pages said nothing for {LONGEST} s; see {work / 'browser.log'}.")
finally:
    browser.terminate()
    browser.wait()
    server.stop()
print(f"{passed} passed, {failed} failed")
sys.exit(0 if isWhole and passed and not failed else 1)
