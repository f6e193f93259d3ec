"""Reports in Chromium, as people open them: from disk."""

import os
import shutil
import subprocess

import pytest
from playwright.sync_api import sync_playwright


@pytest.fixture(scope="session")
def kdisc():
    path = os.environ.get("KDISC")
    assert path and os.path.exists(path), "set KDISC to the path of the built command"

    def run(*arguments):
        subprocess.run([path, *map(str, arguments)], check=True, capture_output=True, timeout=300)

    return run


@pytest.fixture(scope="session")
def report(kdisc, tmp_path_factory):
    """The report on the built-in example, for those who may see everything."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    limits = ["--max-radius", "500", "--min-count", "10", "--allow", "1%", "--max-radius-px", "20"]
    kdisc("report", "-o", path, *limits, "--value", "production", "--p", "10")
    return path


@pytest.fixture(scope="session")
def public(kdisc, tmp_path_factory):
    """The report on the built-in example, for everybody."""
    path = tmp_path_factory.mktemp("public") / "public.html"
    kdisc("report", "-o", path, "--max-radius", "500", "--public")
    return path


@pytest.fixture(scope="session")
def chromium():
    program = shutil.which("chromium")
    assert program, "Chromium is missing: tools/setup browser"
    with sync_playwright() as playwright:
        # Whoever tests as root has no sandbox.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Opens a file; whatever it asks for or complains about fails the test."""
    contexts = []
    troubles = []

    def open_page(path, width=1280, scheme="light", scripts=True):
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=scripts,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        own = (path.as_uri(), "data:")
        page.on("request", lambda r: None if r.url.startswith(own) else troubles.append(r.url))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []
