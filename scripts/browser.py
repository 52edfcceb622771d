"""Drives headless Chromium through a pipe: no network, and nothing but Python's own modules."""

import base64
import json
import os
import subprocess
import tempfile
import time


class Browser:
    """A page in a browser that is closed at the end of a `with` block."""

    def __init__(self, program="chromium"):
        to_child, self._out = os.pipe()
        self._in, from_child = os.pipe()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

        def wire():  # Chromium reads commands from descriptor 3 and answers on 4
            commands, answers = os.dup(to_child), os.dup(from_child)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking",
             f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=wire, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self._rest = b""
        self._count = 0
        self.events = []
        target = next(one for one in self._call("Target.getTargets")["targetInfos"]
                      if one["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=target["targetId"],
                                   flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.colors("light")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._process.terminate()
        self._process.wait()
        self._profile.cleanup()

    def _read(self):
        while b"\0" not in self._rest:
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self._rest += piece
        line, self._rest = self._rest.split(b"\0", 1)
        return json.loads(line)

    def _call(self, method, session=None, **parameters):
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def call(self, method, **parameters):
        return self._call(method, self._session, **parameters)

    def size(self, width, height, scale=1, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=phone)

    def colors(self, scheme):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, path):
        """Opens a file or a URL. Returns the seconds until the page is drawn."""
        self.events.clear()
        begin = time.monotonic()
        url = path if "://" in path else "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=url)
        # All is drawn once its script has run, and two frames have been painted.
        while self.run("document.readyState") != "complete" or self.run("location.href") == "about:blank":
            time.sleep(0.01)
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return time.monotonic() - begin

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, key, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def click(self, script):
        """Clicks with the mouse in the middle of the element that the script gives."""
        place = self.run(f"(() => {{ const it = {script}; it.scrollIntoView({{block: 'center'}}); "
                         "const b = it.getBoundingClientRect(); "
                         "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1],
                      button="left", clickCount=1)

    def type(self, words):
        self.call("Input.insertText", text=words)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as out:
            out.write(base64.b64decode(data["data"]))

    def complaints(self, origin="file:"):
        """Errors, messages of the console, and what was asked of others than `origin`."""
        found = []
        for one in self.events:
            kind, what = one["method"], one.get("params", {})
            if kind in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded",
                        "Page.javascriptDialogOpening"):
                found.append(json.dumps(what)[:400])
            if kind == "Network.requestWillBeSent":
                url = what["request"]["url"]
                if not url.startswith(origin):
                    found.append("asked for " + url)
        return found
