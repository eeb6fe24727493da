"""A browser that is driven by the WebDriver protocol, as a person uses it."""

import base64
import json
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE = 20


class Failure(Exception):
    pass


class Browser:
    def __init__(self, *arguments):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.rsplit(" ", 1)[1].strip().rstrip(".")
                break
        else:
            raise Failure("chromedriver doesn't start")
        self.base = f"http://127.0.0.1:{port}/session"
        options = {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1280,900", *arguments]}
        session = self.send("POST", "", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/" + session["sessionId"]

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, method=method, data=data,
            headers={"content-type": "application/json"})
        try:
            return json.load(urllib.request.urlopen(request))["value"]
        except urllib.error.HTTPError as error:
            raise Failure(json.load(error)["value"]["message"].split("\n")[0]) from None

    def end(self):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    # Places

    def open(self, address):
        self.send("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def emulate(self, command, **parameters):
        self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def shot(self, file):
        with open(file, "wb") as target:
            target.write(base64.b64decode(self.send("GET", "/screenshot")))

    def errors(self):
        return [entry["message"] for entry in self.send("POST", "/se/log", {"type": "browser"})
                if entry["level"] == "SEVERE"]

    # Actions

    def until(self, what, condition):
        """Waits until a condition holds, and returns its value."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                value = condition()
                if value:
                    return value
            except Failure:
                value = None
            if time.monotonic() > end:
                raise Failure(f"not seen: {what}")
            time.sleep(0.03)

    def find(self, xpath):
        """Returns the last element of a path that is shown: a dialog is behind all others."""
        def shown():
            found = self.send("POST", "/elements", {"using": "xpath", "value": xpath})
            for element in reversed(found):
                if self.send("GET", f"/element/{element[ELEMENT]}/displayed"):
                    return element[ELEMENT]
            return None
        return self.until(xpath, shown)

    def press(self, text, within=""):
        kinds = "self::button or self::a or self::summary"
        path = f"{within}//*[({kinds}) and normalize-space()={quoted(text)}]"
        def pressed():
            # A page may replace an element between the look and the press.
            self.send("POST", f"/element/{self.find(path)}/click", {})
            return True
        self.until(f"a press of {text}", pressed)

    def field(self, label):
        return self.find(f"//*[@aria-label={quoted(label)}]")

    def type(self, label, text):
        element = self.field(label)
        self.send("POST", f"/element/{element}/clear", {})
        self.send("POST", f"/element/{element}/value", {"text": text})

    def choose(self, label, option):
        element = self.find(f"//*[@aria-label={quoted(label)}]/option[normalize-space()={quoted(option)}]")
        self.send("POST", f"/element/{element}/click", {})

    def keys(self, text):
        """Types keys into the element that has the focus."""
        element = self.send("GET", "/element/active")[ELEMENT]
        self.send("POST", f"/element/{element}/value", {"text": text})

    def text(self, selector="body"):
        return self.run(
            "return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def sees(self, text, selector="body"):
        self.until(f"{text!r} in {selector}", lambda: text in self.text(selector))


def quoted(text):
    return f'"{text}"' if '"' not in text else f"'{text}'"
