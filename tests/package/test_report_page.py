"""The HTML report as a browser shows it: formula, findings and pictures have a size, nothing is fetched, nothing sticks out,
and every text can be read on its ground, in light and in dark. The browser runs without a window; without one this is left out.
"""

import html
import json
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

import assay

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium")

LOOK = """<script>
addEventListener("load", () => {
  const size = e => { const r = e.getBoundingClientRect(); return [r.width, r.height]; };
  const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).slice(0, 3).map(v => { v /= 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  const contrast = e => { const a = light(getComputedStyle(e).color), b = light(ground(e));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
  const texts = [...document.querySelectorAll("h1, h2, td, th, pre, .verdict, .found, .found code")];
  const found = {
    math: [...document.querySelectorAll("math")].map(size), pictures: [...document.querySelectorAll("svg")].map(size),
    findings: [...document.querySelectorAll(".found")].map(e => [...size(e), e.innerText]),
    fetched: performance.getEntriesByType("resource").map(e => e.name),
    beyond: document.documentElement.scrollWidth - innerWidth,
    contrast: Math.min(...texts.filter(e => e.innerText.trim()).map(contrast)),
    ground: getComputedStyle(document.body).backgroundColor, headings: [...document.querySelectorAll("h2")].map(e => e.innerText) };
  document.body.dataset.found = JSON.stringify(found);
});
</script>"""


def looked_at(result, folder, dark=False, width=1200):
    """What a browser makes of the report."""
    page = folder / "page.html"
    result.write_report(page)
    page.write_text(page.read_text(encoding="utf-8").replace("</body>", LOOK + "</body>"), encoding="utf-8")
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={width},900",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--virtual-time-budget=2000",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--dump-dom",
        page.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(html.unescape(re.search(r'data-found="([^"]*)"', done.stdout).group(1)))


@pytest.fixture(scope="module")
def refuted():
    return assay.lift(ROOT / "examples" / "k_tail_unmasked.launch.json")


@pytest.mark.parametrize("dark", [False, True])
def test_a_page_with_a_finding_is_readable(refuted, tmp_path, dark):
    seen = looked_at(refuted, tmp_path, dark)
    assert seen["math"] and all(width > 20 and height > 10 for width, height in seen["math"]), seen
    assert seen["pictures"] and all(min(size) > 20 for size in seen["pictures"]), seen
    assert any(height > 10 and "bounds" in text for _, height, text in seen["findings"]), seen
    assert seen["fetched"] == [] and seen["beyond"] <= 0, seen
    assert seen["contrast"] >= 3, seen
    assert (seen["ground"] == "rgb(255, 255, 255)") != dark, seen


def test_a_narrow_window_has_no_page_beside_it(refuted, tmp_path):
    assert looked_at(refuted, tmp_path, width=600)["beyond"] <= 0


def test_a_proved_page_has_a_formula_and_no_finding(tmp_path):
    seen = looked_at(assay.lift(ROOT / "examples" / "softmax.ttir", emit=["numpy"]), tmp_path)
    assert seen["math"] and not seen["findings"] and seen["contrast"] >= 3, seen
