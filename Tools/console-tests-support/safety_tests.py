"""Tests of who may use the console."""

import http.server
import json
import subprocess
import tempfile
import threading

from served import ROOT, Server, console, test

TOKEN = "a-token-of-24-letters-00"


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


@test
def a_signed_server_is_for_administrators(_, browser):
    with tempfile.TemporaryDirectory() as folder:
        rules, tokens, keys = f"{folder}/rules", f"{folder}/tokens", f"{folder}/keys.pem"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "RSA", "-out", keys], check=True, capture_output=True)
        with open(rules, "w") as file:
            file.write("service cloud.firestore { match /none/{id} { allow read: if false; } }")
        with open(tokens, "w") as file:
            file.write(TOKEN)
        server = Server(
            "--rules", rules, "--auth-tokens", "signed", "--auth-keys", keys, "--token-file", tokens)
        try:
            console(server, browser, "requests")
            browser.run("sessionStorage.clear()")
            browser.run("location.reload()")
            browser.type("Token", TOKEN)
            browser.press("Use it")
            browser.sees("calls of the last", "main")
            console(server, browser, "data")
            browser.sees("No collections.")
            browser.errors()
        finally:
            server.end()
