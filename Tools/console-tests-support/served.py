"""A server with a console, and the tests that are run on it."""

import json
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

hearth = sys.argv[1]
ROOT = "projects/demo-project/databases/(default)"


class Server:
    def __init__(self, *options, folder=None):
        self.folder = folder or tempfile.mkdtemp()
        self.options = options
        self.start(0)

    def start(self, port):
        self.process = subprocess.Popen(
            [hearth, "serve", "--db", self.folder, "--port", str(port), "--json", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]
        self.address = f"http://127.0.0.1:{self.port}"

    def restart(self):
        self.process.terminate()
        self.process.wait()
        self.start(self.port)

    def call(self, method, path, body=None, token="owner"):
        request = urllib.request.Request(
            f"{self.address}/v1/{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"authorization": f"Bearer {token}"} if token else {})
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
