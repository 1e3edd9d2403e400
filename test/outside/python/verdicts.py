"""Verifies each case of a file as avouch-verify.mjs does, and prints what came of it, one JSON line each."""

import base64
import json
import sys

import avouch


def verdict(case):
    content = base64.b64decode(case["content"])
    options = case["options"]
    try:
        text = content.decode()
        value = text if case["kind"] == "proof" else avouch.parse_json(text)
    except ValueError:
        return "unreadable"
    if case["kind"] == "proof":
        return avouch.verify_proof(value, case["keys"], **options)
    if case["kind"] == "seal":
        return avouch.verify_seal(value, case["keys"], **options)
    receipt = value.get("receipt", avouch.OMIT) if isinstance(value, dict) else avouch.OMIT
    return avouch.verify_receipt(receipt, answer=value, keys=case["keys"], sandbox=True, **options)


with open(sys.argv[1], encoding="utf-8") as cases:
    for line in cases:
        found = verdict(json.loads(line))
        if isinstance(found, dict):
            checks = [[check["name"], check["ok"]] for check in found["checks"]]
            found = {"valid": found["valid"], "outcome": found.get("outcome"), "checks": checks}
        print(json.dumps(found))
