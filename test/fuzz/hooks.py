"""What schemathesis does differently here; it loads this file by SCHEMATHESIS_HOOKS.

SCONCE_FUZZ_RECORD names the file that gets one JSON line for each request that was sent and for each answer that was
refused. Of SCONCE_FUZZ_COVER generated boundary cases of an operation all are sent, of more ever fewer.
SCONCE_FUZZ_AGENT is the agent's address, SCONCE_FUZZ_SOUNDS that of sounds, SCONCE_FUZZ_PROFILES a folder of profiles.
"""

import json
import os
import random
from pathlib import Path

import requests
import schemathesis

RECORD = open(os.environ["SCONCE_FUZZ_RECORD"], "a", encoding="utf-8")
COVER = float(os.environ["SCONCE_FUZZ_COVER"])
SEED = os.environ["SCONCE_FUZZ_SEED"]
AGENT = os.environ["SCONCE_FUZZ_AGENT"]
SOUNDS = os.environ["SCONCE_FUZZ_SOUNDS"]
PROFILES = [path.read_text("utf-8") for path in sorted(Path(os.environ["SCONCE_FUZZ_PROFILES"]).glob("*.yaml"))]
TEXTS_OF_YAML = ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml")

covered: dict[str, int] = {}
calls = 0


def tell(**what):
    print(json.dumps(what), file=RECORD, flush=True)


@schemathesis.serializer(*TEXTS_OF_YAML)
def yaml_is_text(ctx, value):
    """The document describes YAML as text, comments included, and not as what it means."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace")


@schemathesis.deserializer(*TEXTS_OF_YAML)
def yaml_stays_text(ctx, response):
    """The same of answers."""
    return response.text


@schemathesis.hook
def filter_case(context, case):
    """Thins out the boundary cases, of which an operation may have thousands, the same ones for the same seed."""
    if case.meta is None or case.meta.phase.name.value != "coverage":
        return True
    label = case.operation.label
    index = covered[label] = covered.get(label, -1) + 1
    return random.Random(f"{SEED} {label} {index}").random() < COVER / (index + 1)


def call_play(case):
    """An address that can be fetched; a generated one never is."""
    address = f"{SOUNDS}/{calls % 4}"
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = address
    elif isinstance(case.body, str):
        case.body = address


def call_profile(case):
    """A profile that comes with Sconce, sometimes with a few lines left out, doubled or changed."""
    chance = random.Random(f"{SEED} {calls}")
    lines = chance.choice(PROFILES).split("\n")
    for _ in range(chance.choice([0, 0, 1, 2, 4])):
        at = chance.randrange(len(lines))
        line = lines[at]
        key = line[: line.find(":") + 1]
        changes = [[""], [line, line], [f"{key} "], [f"{key} [1, {{}}]"], [f"{key} -1"], [f"  {line}"]]
        lines[at : at + 1] = chance.choice(changes)
    case.body = "\n".join(lines)


def call_save(case):
    """With the token of a preview of the same profile, without which nothing is saved."""
    call_profile(case)
    preview = requests.post(
        f"{AGENT}/api/v1/profiles/preview",
        case.body.encode("utf-8", "replace"),
        headers={"Content-Type": "application/yaml"},
        timeout=20,
    )
    if preview.ok:
        case.headers["x-profile-preview-token"] = preview.json()["preview_token"] or ""


def call_delete(case):
    """Of a revision that is there."""
    catalog = requests.get(f"{AGENT}/api/v1/profiles", timeout=20).json()
    profile = catalog["profiles"][calls % len(catalog["profiles"])]
    ref = {"id": profile["id"], "revision": profile["revision"]}
    case.body = {"ref": ref, "expected_catalog_revision": catalog["catalog_revision"], "confirm": True}
    case.media_type = "application/json"


def call_calibration(case):
    """As from the panel's own page, which alone may calibrate."""
    case.headers.update({"Origin": AGENT, "Referer": f"{AGENT}/proximity-setup", "X-Proximity-UI": "1"})


PREPARED = {
    "/play": call_play,
    "/api/v1/play": call_play,
    "/api/v1/profiles/compare": call_profile,
    "/api/v1/profiles/delete": call_delete,
    "/api/v1/profiles/import": call_save,
    "/api/v1/profiles/preview": call_profile,
    "/api/v1/profiles/probe": call_profile,
    "/api/v1/profiles/save": call_save,
    "/api/v1/profiles/validate": call_profile,
    "/api/v1/proximity/calibration": call_calibration,
}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every other request to what generated values alone cannot reach is prepared, so that it gets further."""
    global calls
    prepare = PREPARED.get(case.operation.path)
    if prepare is not None:
        calls += 1
        if calls % 2 == 0:
            prepare(case)


@schemathesis.hook
def after_call(context, case, response):
    tell(sent=case.operation.label, status=response.status_code)


@schemathesis.hook
def after_network_error(context, case, request):
    tell(sent=case.operation.label, status=0)
    tell(refused=case.operation.label, why="no answer", detail=case.as_curl_command())


def is_truthful(response):
    """Whether a refusal says what is not possible now (stopping, restarting, not written) and not that something broke."""
    try:
        answer = response.json()
    except ValueError:
        return False
    return isinstance(answer, dict) and isinstance(answer.get("error"), str) and answer["error"] != "internal"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Tells of a failure, unless it is none."""
    # Whether the document has the code of such a refusal is another check.
    if type(failure).__name__ == "ServerError" and is_truthful(response):
        return False
    # As for YAML: the document describes a stream as text, and not each event of it.
    if "event-stream" in response.headers.get("content-type", [""])[0] and failure.title.startswith("SSE event"):
        return False
    tell(
        refused=case.operation.label,
        why=f"{response.status_code}: {failure.title}",
        detail=f"{failure.message}\n{case.as_curl_command()}\n{response.text[:2000]}",
    )
    return True
