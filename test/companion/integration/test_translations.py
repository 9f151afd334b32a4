"""Every word that the code names is translated, and every translation is used; the manifest is what it must be."""

import ast
from collections.abc import Iterator
import json
from pathlib import Path
import re
import string
import struct
from typing import Any

import pytest

import custom_components.sconce as integration

FOLDER = Path(integration.__file__).parent
STRINGS: dict[str, Any] = json.loads((FOLDER / "strings.json").read_text(encoding="utf-8"))
TREES = {file.stem: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.py"))}


def constants(node: ast.AST) -> set[str]:
    """All texts in a part of the code."""
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def calls(name: str, within: str | None = None) -> Iterator[ast.Call]:
    """All calls of a function or method of that name, perhaps of one module."""
    for tree in TREES.values() if within is None else [TREES[within]]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
                yield node


def first_of(name: str) -> set[str]:
    """The first argument of each such call, if it is a text or a choice of two."""

    def texts(node: ast.AST) -> set[str]:
        if isinstance(node, ast.IfExp):
            return texts(node.body) | texts(node.orelse)
        return constants(node) if isinstance(node, ast.Constant) else set()

    return {text for call in calls(name) if call.args for text in texts(call.args[0])}


def function(module: str, name: str) -> ast.AST:
    """A function of a module."""
    found = [node for node in ast.walk(TREES[module]) if getattr(node, "name", "") == name]
    assert len(found) == 1, name
    return found[0]


def returned(module: str, name: str) -> set[str]:
    """The texts that a function returns."""
    nodes = [node for node in ast.walk(function(module, name)) if isinstance(node, ast.Return) and node.value]
    return {text for node in nodes for text in constants(node.value)}


def keyword_of(keyword: str, *names: str, within: str | None = None) -> set[str]:
    """The texts of a keyword argument of such calls."""
    found = [k.value for name in names for call in calls(name, within) for k in call.keywords if k.arg == keyword]
    return {text for node in found for text in constants(node)}


def value_of(module: str, name: str) -> ast.AST:
    """What is assigned to a constant."""
    for node in TREES[module].body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return node.value
    raise AssertionError(f"{module}.{name} is not there")


def refusals() -> set[str]:
    """What the panel may refuse, and what keeps a connection from it."""
    by_status = [node for node in ast.walk(function("link", "_dial")) if isinstance(node, ast.Dict)]
    words = [value_of("config_flow", "_REFUSALS"), *by_status]
    named = {text for table in words for node in table.values for text in constants(node)}
    not_a_panel = {"not_a_panel"}  # Any other status.
    return (
        named
        | not_a_panel
        | first_of("LinkError")
        | returned("link", "_side_to_update")
        | returned("config_flow", "_reason")
    )


def assigned_errors() -> set[str]:
    """The texts that a flow sets as an error by itself."""
    return {
        text
        for node in ast.walk(TREES["config_flow"])
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
        if getattr(node.targets[0].value, "id", "") == "errors"
        for text in constants(node.value)
    }


def test_errors_and_ends_of_the_flow() -> None:
    assert set(STRINGS["config"]["error"]) == refusals() | assigned_errors()
    ends = ("async_abort", "async_update_reload_and_abort", "_abort_if_unique_id_mismatch")
    reasons = keyword_of("reason", *ends, within="config_flow")
    # Home Assistant's own helpers end a flow with these.
    by_helpers = {"already_configured", "already_in_progress"}
    assert set(STRINGS["config"]["abort"]) == refusals() | reasons | by_helpers


def test_steps_and_progress() -> None:
    menus = keyword_of("step_id", "async_show_menu")
    forms = keyword_of("step_id", "async_show_form", within="config_flow")
    shown = forms | first_of("_confirm_form") | menus
    assert set(STRINGS["config"]["step"]) == shown
    methods = {n.name for n in ast.walk(TREES["config_flow"]) if isinstance(n, ast.AsyncFunctionDef)}
    assert {f"async_step_{step}" for step in shown} <= methods
    assert set(STRINGS["config"]["progress"]) == keyword_of("progress_action", "async_show_progress")
    (menu,) = menus
    options = STRINGS["config"]["step"][menu]["menu_options"]
    assert set(options) == keyword_of("menu_options", "async_show_menu")
    assert {f"async_step_{option}" for option in options} <= methods
    for step in STRINGS["config"]["step"].values():
        assert set(step.get("data", {})) == set(step.get("data_description", {}))


def test_exceptions() -> None:
    used = first_of("_error") | keyword_of("translation_key", "ConfigEntryNotReady")
    assert set(STRINGS["exceptions"]) == used


def test_issues() -> None:
    used = keyword_of("translation_key", "async_create_issue") | constants(value_of("issues", "_LASTING"))
    assert set(STRINGS["issues"]) == used
    fixable = {key: issue["fix_flow"] for key, issue in STRINGS["issues"].items() if "fix_flow" in issue}
    (flow,) = fixable.values()
    assert set(flow["step"]) == keyword_of("step_id", "async_show_form", within="repairs")
    assert set(flow["abort"]) == keyword_of("reason", "async_abort", within="repairs")
    # Home Assistant takes either.
    assert not [key for key in fixable if "description" in STRINGS["issues"][key]]


def leaves(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of the translations, with its path."""
    for key, value in node.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}.{key}")
        else:
            yield f"{path}.{key}", value


@pytest.mark.parametrize("file", sorted((FOLDER / "translations").glob("*.json")), ids=lambda file: file.stem)
def test_each_language_has_the_same_keys_and_placeholders(file: Path) -> None:
    own = dict(leaves(json.loads(file.read_text(encoding="utf-8"))))
    source = dict(leaves(STRINGS))
    assert own.keys() == source.keys()

    def placeholders(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    for path, text in own.items():
        assert placeholders(text) == placeholders(source[path]), path
    if file.stem == "en":
        assert own == source


def test_placeholders_are_given() -> None:
    given = {
        ".exceptions": {"panel", "reason"},
        ".issues": {"panel", "host", "title", "text"},
        ".config": {"name", "host", "message"},
    }
    for path, text in leaves(STRINGS):
        named = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        (allowed,) = [names for start, names in given.items() if path.startswith(start)]
        assert named <= allowed, path


def test_the_manifest() -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["domain"] == FOLDER.name == "sconce"
    assert (manifest["integration_type"], manifest["iot_class"]) == ("device", "local_push")
    assert manifest["config_flow"] is True
    assert manifest["zeroconf"] == ["_sconce._tcp.local."]
    # Where something hard to install is missing, the integration must start all the same.
    assert manifest["requirements"] == []
    assert "dependencies" not in manifest
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    picture = (FOLDER / "brand" / "icon.png").read_bytes()
    assert (picture[:8], picture[16:24]) == (b"\x89PNG\r\n\x1a\n", struct.pack(">II", 256, 256))
    # Home Assistant's own order.
    assert list(manifest) == ["domain", "name", *sorted(set(manifest) - {"domain", "name"})]
