"""browser.py PROGRAM PAGES: tries the page of `research serve` in headless Chromium, as a person
does: the list, the button Continue by keyboard and by mouse, the report. Exit code 77: skipped."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../scripts"))
sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402

program, pages = sys.argv[1:]
ROWS = "[...document.querySelectorAll('tr')].slice(1).map(row => row.innerText)"
PATIENCE = 60  # seconds, on a slow machine


def check(right, what):
    print(("ok    " if right else "WRONG ") + what)
    if not right:
        raise SystemExit(1)


def wait_for(page, script, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if page.run(script):
                return print("ok    " + what)
        except RuntimeError:
            pass  # the page is being replaced
        time.sleep(0.05)
    check(False, what + ": " + str(page.run("document.body.innerText")))


def leave_unfinished(batch, out):
    """A session that is killed when its pages are read."""
    run = subprocess.Popen([program, "continue", batch, "--pages", pages, "--out", out],
                           stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    for line in run.stderr:
        if "stage=phase0 " in line and " done " in line:
            break
    run.kill()
    run.wait()


def of(batch, script):
    """A script about the row of a batch."""
    return (f"(row => {script})([...document.querySelectorAll('tr')]"
            f".find(row => row.cells[1].textContent === '{batch}'))")


def try_page(page, url):
    page.size(1000, 800)
    page.open(url)
    rows = page.run(ROWS)
    check(len(rows) == 3, f"three sessions are listed: {rows}")
    check(page.run(of("done", "row.innerText.includes('Report') && !row.querySelector('button')")),
          "the finished one has a report and no button")
    for batch in ("killed1", "killed2"):
        check(page.run(of(batch, "row.innerText.includes('in-progress (killed)')")),
              f"{batch} is shown as killed")
        check(page.run(of(batch, "row.querySelector('button').innerText === 'Continue'")),
              "and can be continued")
    try_keyboard(page)
    page.click(of("killed2", "row.querySelector('button')"))
    wait_for(page, of("killed2", "row.innerText.includes('Report')"),
             "a click continues the other to its end")
    check(not page.run("!!document.querySelector('button')"), "there is nothing left to continue")
    page.click(of("killed2", "row.querySelector('a')"))
    wait_for(page, "document.body.innerText.includes('## Sources')", "a click opens its report")


def try_keyboard(page):
    button = of("killed1", "row.querySelector('button')")
    for _ in range(20):
        page.key("Tab", 9)
        if page.run(f"document.activeElement === {button}"):
            break
    check(page.run(f"document.activeElement === {button}"), "Tab comes to a button")
    check(page.run(f"getComputedStyle({button}).outlineStyle") == "solid", "and shows that it did")
    page.key("Enter", 13, "\r")
    wait_for(page, of("killed1", "row.innerText.includes('Report')"),
             "Enter continues its session, and the page follows until it is done")


def try_width(page, url):
    page.size(390, 800, phone=True)
    page.open(url)
    width = page.run("document.documentElement.scrollWidth")
    check(width <= 390, f"the page fits a phone: {width} pixels wide")


def main():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        print("skipped: Chromium is not installed (Debian: chromium)")
        raise SystemExit(77)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "output")
        subprocess.run([program, "continue", "done", "--pages", pages, "--out", out], check=True,
                       capture_output=True)
        leave_unfinished("killed1", out)
        leave_unfinished("killed2", out)
        server = subprocess.Popen([program, "serve", "--out", out, "--port", "0"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            url = next(word for word in server.stdout.readline().split() if "://" in word)
            with Browser(chromium) as page:
                try_page(page, url)
                try_width(page, url)
                wrong = page.complaints(url)
                check(not wrong, f"no error, and no request to another server: {wrong}")
        finally:
            server.terminate()
            server.wait()


main()
