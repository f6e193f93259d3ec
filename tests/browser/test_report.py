"""Reports in a browser: quiet, readable at any width, and what can be clicked works."""

import json

import pytest

LOOKS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]


@pytest.mark.parametrize("which", ["report", "public"])
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_is_cut_off(which, width, scheme, visit, request):
    page = visit(request.getfixturevalue(which), width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Letters within charts stay inside them and do not cover each other.
    clashes = page.evaluate(
        """() => {
          const found = [];
          for (const chart of document.querySelectorAll(".chart svg[role]")) {
            const frame = chart.getBoundingClientRect();
            const texts = [...chart.querySelectorAll("text")];
            const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
            for (const [text, box] of boxes) {
              if (box.left < frame.left - 8 || box.right > frame.right + 12) found.push(`${text} is cut off`);
              for (const [other, its] of boxes) {
                const apart = its.left >= box.right || its.right <= box.left || its.top >= box.bottom - 3 || its.bottom <= box.top + 3;
                if (other !== text && !apart) found.push(`${text} covers ${other}`);
              }
            }
          }
          return found;
        }"""
    )
    assert clashes == []
    shown = page.locator(".picture img").evaluate("(image) => [image.complete, image.naturalWidth]")
    assert shown[0] and shown[1] > 300


def test_tables_that_go_on_say_so(report, visit):
    page = visit(report, 390)
    wide = page.locator("#zoom .scroll")
    assert wide.evaluate("(e) => e.scrollWidth > e.clientWidth")
    # A strip down the side to which there is more: shaded until the end is reached.
    strip = lambda: page.screenshot(clip={**box, "x": box["x"] + box["width"] - 4, "width": 4, "height": 20})
    wide.scroll_into_view_if_needed()
    box = wide.bounding_box()
    shaded = strip()
    wide.evaluate("(e) => { e.scrollLeft = e.scrollWidth; }")
    assert strip() != shaded
    assert "local" in wide.evaluate("(e) => getComputedStyle(e).backgroundAttachment")


def test_legends_agree(report, visit):
    page = visit(report)
    moved = page.locator(".explorer .classes li").all_text_contents()
    drawn = page.locator(".picture img").get_attribute("alt")
    assert len(moved) > 3 and moved[0].startswith("over") and moved[-1].startswith("up to")
    # Both go from risky to safe.
    assert "; ".join(moved) in drawn


def contrast(one, other):
    def luminance(colour):
        parts = [int(part) / 255 for part in colour[4:-1].split(",")]
        parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(report, visit, scheme):
    page = visit(report, scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    ground = """(e) => {
      while (e && getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)") e = e.parentElement;
      return getComputedStyle(e).backgroundColor;
    }"""
    page.get_by_role("button", name="Only units beyond a limit").click()
    for part in ["p", "h2", ".subtitle", ".notice", ".verdict h2", ".verdict td", "caption", "nav a", "td", "summary",
                 ".command code", ".tools button", ".tools button[aria-pressed=true]", "footer p", "dt"]:  # fmt: skip
        element = page.locator(part).first
        colour = element.evaluate("(e) => getComputedStyle(e).color")
        assert contrast(colour, element.evaluate(ground)) >= 4.5, part
    for part in [".tick", ".limit-label"]:
        colour = page.locator(part).first.evaluate("(e) => getComputedStyle(e).fill")
        assert contrast(colour, paper) >= 4.5, part
    for line in range(3):
        colour = page.locator(f".line-{line}").first.evaluate("(e) => getComputedStyle(e).stroke")
        assert contrast(colour, paper) >= 3, line


def test_tables_sort_by_mouse_and_keyboard(report, visit):
    page = visit(report)
    table = page.locator("#maps table")
    column = lambda: [float(cell) for cell in table.locator("tbody tr td:nth-child(3)").all_text_contents()]
    head = table.locator("thead th").nth(2)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column() == sorted(column())
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert column() == sorted(column(), reverse=True)


def test_charts_tell_their_points(report, visit):
    page = visit(report)
    chart = page.locator("#curves .chart svg[role]").first
    chart.scroll_into_view_if_needed()
    # Pages hear of scrolling a frame later, and then put the tip away.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    point = chart.locator(".point").nth(2)
    point.hover(force=True)
    tip = page.locator("#tip")
    assert tip.is_visible()
    assert tip.text_content() == point.get_attribute("data-tip")
    chart.focus()
    chart.press("ArrowRight")
    chart.press("ArrowRight")
    assert tip.text_content() == chart.locator(".point.at").get_attribute("data-tip")
    chart.press("Escape")
    assert not tip.is_visible()


def test_the_map_moves_zooms_and_answers(report, visit):
    page = visit(report)
    canvas = page.locator(".explorer canvas")
    told = page.locator(".explorer .told")
    canvas.scroll_into_view_if_needed()
    picture = lambda: canvas.evaluate("(canvas) => canvas.toDataURL()")
    settle = lambda: page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    whole = picture()
    assert canvas.evaluate("(c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((b) => b > 0)")
    page.get_by_role("button", name="Zoom in").click()
    settle()
    near = picture()
    assert near != whole
    canvas.focus()
    canvas.press("ArrowRight")
    settle()
    assert picture() != near
    page.get_by_role("button", name="Whole map").click()
    settle()
    assert picture() == whole
    # The most isolated unit is that of the table.
    page.get_by_role("button", name="Next most isolated").click()
    settle()
    worst = json.loads(report.with_suffix(".json").read_text())["risk"]["most_isolated"][0]
    shown = float(f"{worst['radius']:.4g}")
    assert f"radius {shown:,} m with {worst['units']} units" in told.text_content()
    # A click on a dot tells of it; one beside it of nothing.
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "smallest disc" in told.text_content()
    canvas.press("Escape")
    assert told.text_content() == ""
    page.get_by_role("button", name="Whole map").click()
    settle()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.wheel(0, -240)
    settle()
    wheeled = picture()
    assert wheeled != whole
    page.mouse.down()
    page.mouse.move(box["x"] + 380, box["y"] + 240, steps=4)
    page.mouse.up()
    settle()
    dragged = picture()
    assert dragged not in (wheeled, whole)
    # A drag is no click.
    assert told.text_content() == ""


def test_the_map_shows_who_is_beyond_a_limit(report, public, visit):
    page = visit(report)
    canvas = page.locator(".explorer canvas")
    told = page.locator(".explorer .told")
    only = page.get_by_role("button", name="Only units beyond a limit")
    inked = lambda: canvas.evaluate(
        """(canvas) => {
          const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
          const pen = copy.getContext("2d", { willReadFrequently: true });
          pen.drawImage(canvas, 0, 0);
          return pen.getImageData(0, 0, copy.width, copy.height).data.filter((b, i) => i % 4 === 3 && b > 0).length;
        }"""
    )
    settle = lambda: page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    everybody = inked()
    only.press("Enter")
    settle()
    assert only.get_attribute("aria-pressed") == "true"
    assert 0 < inked() < everybody
    # Who is visited next is beyond a limit: in a large disc, or in a cell with few.
    page.get_by_role("button", name="Next most isolated").click()
    assert "smallest disc" in told.text_content()
    only.press("Enter")
    settle()
    page.get_by_role("button", name="Whole map").click()
    settle()
    assert inked() == everybody
    assert visit(public).get_by_role("button", name="Only units").count() == 0


def test_links_lead_somewhere(report, visit):
    page = visit(report)
    lost = page.evaluate(
        """() => [...document.querySelectorAll('a[href^="#"]')]
          .map((link) => link.getAttribute("href").slice(1))
          .filter((id) => !document.getElementById(decodeURIComponent(id)))"""
    )
    assert lost == []
    assert page.evaluate("document.querySelectorAll('img:not([alt])').length") == 0
    # Everything that has to be named for those who do not see it is.
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("[tabindex], [role=img], button, table, nav")].filter((e) => !(
          e.getAttribute("aria-label") || e.textContent.trim())).map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert unnamed == []
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map((h) => h.tagName)")
    assert levels[0] == "H1" and set(levels[1:]) == {"H2"}


def test_everything_can_be_read_without_scripts(report, visit):
    page = visit(report, scripts=False)
    text = page.locator("body").inner_text()
    for part in ["Not safe", "Where the risk is", "At other k and δ", "Glossary", "needs scripts"]:
        assert part in text, part
    assert page.locator(".chart svg[role] path").count() > 5
    assert not page.locator(".explorer").is_visible()


def test_it_prints(report, visit, tmp_path):
    page = visit(report, scheme="dark")
    page.emulate_media(media="print")
    # Ink on paper, whatever the screen looks like.
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    # Nothing is wider than the paper: A4 less its margins.
    page.set_viewport_size({"width": 680, "height": 900})
    wide = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
          .map((e) => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`)"""
    )
    assert wide == []
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert (tmp_path / "report.pdf").stat().st_size > 50_000


def test_a_public_report_has_nothing_to_explore(public, visit):
    page = visit(public)
    assert page.locator(".explorer").count() == 0
    text = page.locator("body").inner_text()
    assert "Prepared for publication" in text
    assert "CONFIDENTIAL" not in text
    for word in ["Most\n", "Least", "most isolated"]:
        assert word not in text, word


def test_a_hundred_thousand_units_follow_the_hand(kdisc, visit, tmp_path):
    kdisc("example", "--units", "100000", "-o", tmp_path / "town.csv")
    kdisc("report", tmp_path / "town.csv", "--crs", "EPSG:28992", "--levels", "8", "-o", tmp_path / "r.html", "-q")
    page = visit(tmp_path / "r.html")
    page.locator(".explorer canvas").scroll_into_view_if_needed()
    frames = page.evaluate(
        """async () => {
          const canvas = document.querySelector(".explorer canvas");
          const taken = [];
          for (let i = 0; i < 8; i += 1) {
            const start = performance.now();
            canvas.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "ArrowLeft" : "ArrowRight" }));
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
            taken.push(performance.now() - start);
          }
          return taken;
        }"""
    )
    # A tenth of a second on a busy machine, where dots drawn path by path took seconds.
    assert min(frames) < 250, frames
