"""pictures.py MEMO.html MANY.html FOLDER: tries the pages and keeps their pictures."""

import json
import re
import sys
import time

from browser import Browser

memo, many, folder = sys.argv[1:]
NODE = "[...document.querySelectorAll('.node')].find(node => node.stage.name === %s)"


def check(right, what):
    print(("ok    " if right else "WRONG ") + what)
    if not right:
        raise SystemExit(1)


def settle(page):
    page.run("new Promise(done => setTimeout(done, 250))")


def try_clicks(page):
    page.size(1200, 900)
    page.open(memo)
    page.click(NODE % "'cite'")
    check(page.run("document.querySelector('#sheet').open"), "a click on a stage opens its reasons")
    check(page.run("document.querySelector('#sheet-title').textContent") == "cite", "of that stage")
    page.key("Escape", 27)
    check(not page.run("document.querySelector('#sheet').open"), "Escape closes them")
    page.run((NODE % "'draft'") + ".focus()")
    page.key("Enter", 13, "\r")
    check(page.run("document.querySelector('#sheet-title').textContent") == "draft",
          "the same with the keyboard")
    page.click("document.querySelector('#sheet-body ul .name')")
    check(page.run("document.querySelector('#back').hidden") is False, "a link in them leads on")
    page.click("document.querySelector('#back')")
    check(page.run("document.querySelector('#sheet-title').textContent") == "draft", "and Back back")
    page.click("document.querySelector('#close')")
    for number in range(200):
        page.key("Tab", 9)
        if page.run("document.activeElement.id === 'search'"):
            break
    check(number < 199, "Tab comes to the search")
    page.type("enrich_links team")
    found = page.run("[...document.querySelectorAll('#table tbody .name')].map(one => one.textContent)")
    check("enrich_links/team" in found and len(found) < 5, f"the search finds {found}")


def try_many(page):
    page.size(1200, 900)
    times = []
    for _ in range(3):
        times.append(page.open(many))
    items = page.run("rows.length")
    check(items > 10000, f"the large page has {items} rows")
    check(max(times) < 2, f"it opens within 2 s: {max(times):.2f} s")
    begin = time.monotonic()
    page.run("document.querySelector('#search').focus()")
    page.type("subject_77")
    check("of" in page.run("document.querySelector('#count').textContent"),
          f"its search answers in {time.monotonic() - begin:.2f} s: "
          + page.run("document.querySelector('#count').textContent"))
    check(page.run("document.querySelectorAll('#table tbody tr').length") <= 400, "rows are lazy")


def try_markup(page):
    """Every name becomes markup: it has to be shown as it is, and to do nothing."""
    with open(memo, encoding="utf-8") as file:
        text = file.read()
    opening = '<script type="application/json" id="data">'
    begin = text.index(opening) + len(opening)
    end = text.index("</script", begin)
    data = json.loads(text[begin:end])
    nasty = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    data["run"] = data["pipeline"] = nasty
    for number, stage in enumerate(data["stages"]):
        stage["name"] = f"{nasty}{number}"
        for row in stage["rows"]:
            row[0] = nasty + row[0]
    data["texts"] = [nasty + one if " " in one else one for one in data["texts"]]
    data["notes"] = [nasty]
    escaped = re.sub("[<>&]", lambda one: f"\\u{ord(one[0]):04x}", json.dumps(data))
    with open("markup.html", "w", encoding="utf-8") as file:
        file.write(text[:begin] + escaped + text[end:])
    page.open("markup.html")
    check(page.run("document.querySelector('h1').textContent") == nasty, "markup is shown as text")
    page.click("document.querySelectorAll('.node')[5]")
    settle(page)
    check(page.run("document.scripts.length") == 2 and page.run("document.images.length") == 0,
          "markup makes no elements")
    check(not page.complaints(), f"no message, no request: {page.complaints()[:2]}")
    page.run("document.body.append(Object.assign(document.createElement('script'), "
             "{textContent: 'window.ran = 1'}))")
    check(page.run("window.ran") is None, "the policy stops any other script")


def keep_pictures(page):
    page.open(memo)
    for scheme in ("light", "dark"):
        page.colors(scheme)
        page.size(1100, 1250)
        page.open(memo)
        check(not page.complaints(), f"{scheme}: no message, no request")
        page.picture(f"{folder}/report-{scheme}.png")
    page.colors("light")
    page.size(1100, 700)
    page.click(NODE % "'section_research'")
    settle(page)
    page.picture(f"{folder}/report-why.png")
    page.size(390, 844, 1.5, phone=True)
    page.open(many)
    settle(page)
    check(page.run("document.documentElement.scrollWidth") <= 390, "it fits a phone")
    page.picture(f"{folder}/report-phone.png")


with Browser() as browser:
    try_clicks(browser)
    try_many(browser)
    try_markup(browser)
    keep_pictures(browser)
