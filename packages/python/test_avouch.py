"""Run by npm run test:more -- python, against a running service; alone, only what needs none is tested."""

from __future__ import annotations

import base64
import copy
import http.server
import json
import os
import pathlib
import threading
import time
import unittest
import uuid
from typing import Any, Dict, Iterator, List, Tuple
from urllib.request import Request, urlopen

import avouch
from avouch import Avouch, AvouchProblem, AvouchUnreachable, LeaseNotGranted, lease

VECTORS = pathlib.Path(__file__).parents[2] / "test" / "vectors"
URL = os.environ.get("AVOUCH_URL", "")
SIGNER = os.environ.get("AVOUCH_SIGNER", "")

# RFC 8032, section 7.1: public key, message, signature.
RFC8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]
ORDER = 2**252 + 27742317777372353535851937790883648493


def flipped(content: bytes, every: int) -> Iterator[bytes]:
    for bit in range(0, len(content) * 8, every):
        changed = bytearray(content)
        changed[bit >> 3] ^= 1 << (bit & 7)
        yield bytes(changed)


class Ed25519(unittest.TestCase):
    def test_vectors_of_the_rfc_verify_and_no_changed_bit_does(self) -> None:
        for vector in RFC8032:
            key, message, signature = map(bytes.fromhex, vector)
            self.assertTrue(avouch.verify_ed25519(key, message, signature))
            for changed in flipped(signature, 7):
                self.assertFalse(avouch.verify_ed25519(key, message, changed))
            for changed in flipped(key, 7):
                self.assertFalse(avouch.verify_ed25519(changed, message, signature))
            for changed in flipped(message, 7):
                self.assertFalse(avouch.verify_ed25519(key, changed, signature))

    def test_second_spellings_are_refused(self) -> None:
        key, message, signature = map(bytes.fromhex, RFC8032[1])
        scalar = int.from_bytes(signature[32:], "little") + ORDER
        self.assertFalse(avouch.verify_ed25519(key, message, signature[:32] + scalar.to_bytes(32, "little")))
        self.assertFalse(avouch.verify_ed25519(key, message, signature + b"\0"))
        self.assertFalse(avouch.verify_ed25519(key + b"\0", message, signature))
        # The neutral element signs everything with R = S*B: here S = 0. Only its usual spelling is a key.
        neutral, zero = (1).to_bytes(32, "little"), bytes(32)
        for number in (1 + 2**255, 2**255 - 18):
            again = number.to_bytes(32, "little")
            self.assertFalse(avouch.verify_ed25519(again, message, neutral + zero))


class Json(unittest.TestCase):
    def test_canonical_text(self) -> None:
        for value, text in [
            ({"b": 1, "a": [True, False, None]}, '{"a":[true,false,null],"b":1}'),
            ({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}'),
            ('\u2028\x7f\x01\b"\\/\u20ac', '"\u2028\x7f\\u0001\\b\\"\\\\/\u20ac"'),
            (
                [1.0, -0.0, 1e21, 1e20, 1e-7, 0.000001, 333333333.33333329],
                "[1,0,1e+21,100000000000000000000,1e-7,0.000001,333333333.3333333]",
            ),
            ([2**53 + 1, 5e-324, -1.5e300], "[9007199254740992,5e-324,-1.5e+300]"),
        ]:
            self.assertEqual(avouch.canonical_json(value), text)

    def test_what_is_not_json_is_refused(self) -> None:
        deep: Any = 1
        for _ in range(65):
            deep = [deep]
        for value in ["\ud800", {"\udc00": 1}, float("nan"), float("inf"), 10**400, {1: 2}, object(), b"x", deep]:
            with self.assertRaises(avouch.Refused):
                avouch.canonical_json(value)

    def test_repeated_members_and_strange_numbers_are_not_read(self) -> None:
        self.assertEqual(avouch.parse_json('{"a":{"a":[1]}}'), {"a": {"a": [1]}})
        texts: List[Any] = [
            '{"a":1,"a":1}',
            '{"a":1,"\\u0061":2}',
            '[{"b":{"a":1,"a":2}}]',
            "[NaN]",
            "[Infinity]",
            "[" * 99_999,
            b"\xff",
            "",
        ]
        for text in texts:
            with self.assertRaises(ValueError):
                avouch.parse_json(text)


class Merkle(unittest.TestCase):
    def test_inclusion_proofs_of_the_vectors(self) -> None:
        cases = json.loads((VECTORS / "log.json").read_text("utf-8"))["merkle_cases"]["inclusion"]
        for case in cases:
            try:
                leaf, root = avouch._hash(case["leafHash"], "leaf"), avouch._hash(case["root"], "root")
                checkpoint = {"size": int(case["treeSize"]), "root": root}
                avouch._need_inclusion(
                    int(case["leafIdx"]), leaf, avouch._hashes(case["proof"] or [], "path"), checkpoint
                )
                is_refused = False
            except avouch.Refused:
                is_refused = True
            self.assertEqual(is_refused, case["wantErr"], case["case"])
        self.assertGreater(len(cases), 20)


class Receipts(unittest.TestCase):
    vectors = json.loads((VECTORS / "receipts.json").read_text("utf-8"))

    def verified(self, answer: Any, more: Dict[str, Any]) -> Dict[str, Any]:
        receipt = more.get("receipt", answer.get("receipt") if isinstance(answer, dict) else None)
        options = {"answer": answer} if answer is not None else {}
        if "request" in more:
            options["request"] = more["request"]
        trusted = {"keys": [self.vectors["public_key"]], "sandbox": self.vectors["sandbox"]}
        return avouch.verify_receipt(receipt, **options, **trusted)

    def test_every_vector_has_its_outcome(self) -> None:
        outcomes = set()
        for case in self.vectors["cases"]:
            result = self.verified(case.get("answer"), case)
            self.assertEqual(result["outcome"], case["outcome"], case["name"])
            self.assertEqual(result["valid"], case["outcome"] == "valid", case["name"])
            outcomes.add(result["outcome"])
        self.assertGreaterEqual(len(outcomes), 4)

    def test_a_flipped_bit_is_never_a_valid_answer(self) -> None:
        case = self.vectors["cases"][0]
        text = json.dumps(case["answer"], separators=(",", ":")).encode()
        read = 0
        for changed in flipped(text, 11):
            try:
                answer = avouch.parse_json(changed)
            except ValueError:
                continue
            if answer == case["answer"]:
                continue
            read += 1
            result = self.verified(answer, {"request": case["request"]})
            # Another name for a repeated member leaves the signed rest as it was, and is listed as not signed.
            self.assertTrue(not result["valid"] or result["uncovered"], changed)
        self.assertGreater(read, 100)

    def test_without_keys_of_another_world_or_spelt_otherwise_nothing_is_valid(self) -> None:
        answer = self.vectors["cases"][0]["answer"]
        receipt: Any
        self.assertEqual(
            avouch.verify_receipt(answer["receipt"], answer=answer, sandbox=True)["outcome"], "signer_not_known"
        )
        key = [self.vectors["public_key"]]
        spelt = {**answer["receipt"], "signature": answer["receipt"]["signature"].replace("g==", "h==")}
        self.assertNotEqual(spelt, answer["receipt"])
        for receipt, held in ((answer["receipt"], {}), (spelt, spelt)):
            lie = {**answer, "receipt": held}
            result = avouch.verify_receipt(receipt, answer=lie, keys=key, sandbox=True)
            self.assertEqual(result["outcome"], "invalid")
        self.assertEqual(avouch.verify_receipt(answer["receipt"], answer=answer, keys=key)["outcome"], "invalid")
        for receipt in (None, [], "text", 5, {}, {"signature": []}):
            self.assertEqual(avouch.verify_receipt(receipt, keys=key)["outcome"], "invalid")


Scripted = Tuple[int, Dict[str, str], bytes]


class ScriptedServer(http.server.ThreadingHTTPServer):
    """Answers as told, then goes on with the last. Status 0 drops the connection."""

    def __init__(self, *replies: Scripted) -> None:
        super().__init__(("127.0.0.1", 0), ScriptedHandler)
        self.replies = list(replies)
        self.seen: List[Tuple[str, Dict[str, str], bytes]] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def client(self, **options: Any) -> Avouch:
        return Avouch(f"http://127.0.0.1:{self.server_address[1]}", **options)

    def __exit__(self, *_: Any) -> None:
        self.shutdown()
        self.server_close()


class ScriptedHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, ScriptedServer)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        replies = self.server.replies
        status, headers, content = replies.pop(0) if len(replies) > 1 else replies[0]
        if status == 0:
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"content-length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        pass


def problem(status: int, code: str, **more: Any) -> Scripted:
    return status, {}, json.dumps({"code": code, "detail": "because", **more}).encode()


OK: Scripted = (200, {}, b'{"ok":true}')
DROPPED: Scripted = (0, {}, b"")


class Retries(unittest.TestCase):
    def test_busy_answers_are_tried_again(self) -> None:
        limited = (429, {"retry-after": "0"}, problem(429, "rate_limited")[2])
        for first in (problem(429, "rate_limited", retry_after_s=0.01), problem(503, "busy", retry_after_s=0.01)):
            with ScriptedServer(first, first, OK) as server:
                self.assertEqual(server.client().claim(key="k", agent="a7"), {"ok": True})
                self.assertEqual(len(server.seen), 3)
        with ScriptedServer(limited) as server, self.assertRaises(AvouchProblem) as raised:
            server.client(retries=1, max_wait_seconds=0.5).look(key="k")
        self.assertEqual((raised.exception.code, raised.exception.status, len(server.seen)), ("rate_limited", 429, 1))

    def test_lost_connections_are_tried_again_only_where_that_is_safe(self) -> None:
        with ScriptedServer(DROPPED, OK) as server:
            self.assertEqual(server.client().look(key="k"), {"ok": True})
            server.replies[:] = [DROPPED, OK]
            self.assertEqual(server.client().release(lease="l", token="t"), {"ok": True})
            server.replies[:] = [DROPPED, OK]
            with self.assertRaises(AvouchUnreachable) as raised:
                server.client().claim(key="k", agent="a7")
        self.assertEqual(raised.exception.reason, "network")

    def test_a_lease_that_was_granted_by_a_lost_answer_is_freed(self) -> None:
        granted = {"key": "k", "lease": "L1", "fence": 1, "expires_in_s": 600}
        with ScriptedServer(DROPPED, DROPPED, DROPPED, DROPPED, (200, {}, json.dumps(granted).encode()), OK) as server:
            with self.assertRaises(LeaseNotGranted) as raised, lease(server.client(), "k", "a7"):
                self.fail("it ran")
            self.assertEqual(raised.exception.code, "network")
            bodies = [json.loads(body) for _, _, body in server.seen]
        self.assertEqual([path for path, _, _ in server.seen][-2:], ["/v1/claim", "/v1/release"])
        self.assertEqual([body.get("hops") for body in bodies], [None, None, None, None, -1, None])
        self.assertEqual(bodies[-1], {"lease": "L1"})
        self.assertEqual(len({headers["x-crossing-token"] for _, headers, _ in server.seen}), 1)

    def test_waiting_for_a_lease_ends_with_wait_seconds(self) -> None:
        for reply in (problem(429, "slow_down", retry_after_s=60), problem(503, "busy", retry_after_s=60)):
            none = problem(409, "hop_limit")
            with ScriptedServer(reply, none) as server:
                with self.assertRaises(LeaseNotGranted), lease(server.client(), "k", "a7", wait_seconds=5):
                    self.fail("it ran")
                claims = [body for _, _, body in server.seen if b"hops" not in body]
            self.assertEqual(len(claims), 1)

    def test_every_try_has_the_same_key(self) -> None:
        with ScriptedServer(DROPPED, problem(503, "outcome_unknown", retry_after_s=0.01), OK) as server:
            server.client().attest_seal(schema_id="record.integrity.v1", claim={"statement": "s"})
            keys = {headers["idempotency-key"] for _, headers, _ in server.seen}
            self.assertEqual((len(server.seen), len(keys)), (3, 1))
            server.client().spend_fuse(amount_usd="1", idempotency_key="my-own-key-0123456789")
            self.assertEqual(server.seen[-1][1]["idempotency-key"], "my-own-key-0123456789")
            server.replies[:] = [problem(503, "outcome_unknown", retry_after_s=0.01), OK]
            with self.assertRaises(AvouchProblem):
                server.client().claim(key="k", agent="a7")

    def test_what_the_service_never_sends_is_unreadable(self) -> None:
        other = (302, {"location": "/elsewhere"}, problem(302, "moved")[2])
        for reply in (other, (200, {}, b"<p>"), (200, {}, b'{"a":1,"a":2}'), (200, {}, b"[]"), (500, {}, b"oops")):
            with ScriptedServer(reply) as server, self.assertRaises(AvouchUnreachable) as raised:
                server.client(retries=0).look(key="k")
            self.assertEqual((raised.exception.reason, len(server.seen)), ("unreadable", 1))

    def test_nobody_there_and_no_answer(self) -> None:
        with ScriptedServer(OK) as server:
            client = server.client(retries=0)
        with self.assertRaises(AvouchUnreachable) as raised:
            client.look(key="k")
        self.assertEqual(raised.exception.reason, "network")

    def test_fields_go_where_the_table_says(self) -> None:
        with ScriptedServer(OK) as server:
            client = server.client(agent_key="ak_1")
            client.board_key(key="acme/repo#1/..")
            client.log_audit(from_=3, to=5)
            client.claim(key=["a", "b"], agent="a7", token="secret", evidence=avouch.OMIT)
            client.list_orders()
            client.amh_seal(verify_ref="v", outcome="placed", external_ref=None)
        paths = [path for path, _, _ in server.seen]
        self.assertEqual(
            paths[:3], ["/board/acme/repo%231/%252E%252E", "/api/astralock/audit?from=3&to=5", "/v1/claim"]
        )
        self.assertEqual(json.loads(server.seen[2][2]), {"key": ["a", "b"], "agent": "a7"})
        self.assertEqual(server.seen[2][1]["x-crossing-token"], "secret")
        self.assertEqual(server.seen[3][1]["x-agent-key"], "ak_1")
        self.assertIsNone(json.loads(server.seen[4][2])["external_ref"])

    def test_options_and_addresses_are_checked(self) -> None:
        for address in ("127.0.0.1:8402", "ftp://host", "http://"):
            with self.assertRaises(ValueError):
                Avouch(address)
        with self.assertRaises(TypeError):
            Avouch("http://host").with_options(timeouts=1)
        with self.assertRaises(TypeError):
            Avouch("http://host").claim(key="k")  # type: ignore[call-arg]


SPEND = {
    "amount_usd": "5",
    "instruction_source": "principal",
    "per_action_cap_usd": "10",
    "period_budget_usd": "100",
    "period_spent_usd": "1",
    "agent": "scout-1",
    "intent_id": "8f14e45fceea167a",
    "counterparty_verified": "yes",
    "reference_price_usd": "5",
    "p_success": "0.9",
    "p_basis": "measured",
    "value_usd": "20",
    "cumulative_cost_usd": "1",
    "attempts_without_progress": "0",
    "reversible": "yes",
    "delivery": "escrow",
}


@unittest.skipUnless(URL, "AVOUCH_URL is not set")
class Live(unittest.TestCase):
    client = Avouch(URL or "http://127.0.0.1:1")

    def test_every_operation_has_a_method_with_a_summary(self) -> None:
        document = self.client.openapi()
        ids = {
            row["operationId"] for path in document["paths"].values() for row in path.values() if "operationId" in row
        }
        methods = {name for name in dir(Avouch) if (getattr(Avouch, name).__doc__ or "").find("/") > 0}
        # What takes GET and POST is in the document twice.
        self.assertGreater(len(ids), 100)
        self.assertEqual({name.replace("_by_post", "") for name in ids} - methods, set())

    def test_a_claim_its_refusal_and_its_release(self) -> None:
        claimed = self.client.claim(key="acme/python#1", agent="scout-1", mode="exclusive", receipt="yes")
        self.assertIsInstance(claimed["fence"], int)
        self.assertEqual((claimed.status, claimed.replayed, claimed.request["path"]), (200, False, "/v1/claim"))
        verified = self.client.verify_receipt(claimed)
        self.assertTrue(verified["valid"], verified)
        with self.assertRaises(AvouchProblem) as raised:
            self.client.claim(key="acme/python#1", agent="scout-2", mode="exclusive")
        self.assertEqual((raised.exception.code, raised.exception.status), ("held", 409))
        self.assertGreater(raised.exception.problem["wait_s"], 0)
        with self.assertRaises(LeaseNotGranted) as refused, lease(self.client, "acme/python#1", "scout-2"):
            self.fail("it ran")
        self.assertEqual(refused.exception.code, "held")
        self.assertGreater(refused.exception.wait_seconds or 0, 0)
        self.client.release(lease=claimed["lease"], token=claimed["token"])

    def test_a_seal_and_its_proof_verify_and_no_changed_bit_does(self) -> None:
        claim = {"statement": 'seven boxes \u2014 \u20ac, "quoted"\n'}
        sealed = self.client.attest_seal(schema_id="record.integrity.v1", claim=claim)
        result = self.client.verify_seal(sealed, attestation_id=sealed["attestation_id"])
        self.assertTrue(result["valid"], result)
        self.assertIn("proof_file", [check["name"] for check in result["checks"]])
        trust = self.client.trust
        assert trust is not None
        for changed in flipped(base64.b64decode(sealed["entry"]), 37):
            lie = {**sealed, "entry": base64.b64encode(changed).decode()}
            self.assertFalse(avouch.verify_seal(lie, trust.log_keys)["valid"])
        for name in ("checkpoint", "proof"):
            for changed in flipped(sealed[name].encode(), 37):
                lie = {**sealed, name: changed.decode("utf-8", "replace")}
                self.assertFalse(avouch.verify_seal(lie, trust.log_keys)["valid"], changed)
        for changed in flipped(sealed["proof"].encode(), 37):
            question = {"attestation_id": sealed["attestation_id"]}
            self.assertFalse(
                avouch.verify_proof(changed.decode("utf-8", "replace"), trust.log_keys, **question)["valid"]
            )
        other = copy.deepcopy(dict(sealed))
        other["claim"]["statement"] += "."
        self.assertFalse(self.client.verify_seal(other)["valid"])
        self.assertTrue(self.client.verify_proof(sealed["proof"])["valid"])

    def test_texts_bytes_and_streams(self) -> None:
        self.client.attest_seal(schema_id="record.integrity.v1", claim={"statement": "for the stream"})
        self.assertIn("\n\n\u2014 ", self.client.log_checkpoint())
        tile = self.client.log_tile(tile="0/000.p/1")
        self.assertEqual((type(tile), len(tile)), (bytes, 32))
        with urlopen(f"{URL}/.well-known/scitt-keys") as response:
            self.assertEqual(self.client.scitt_keys(), response.read())
        stream = self.client.attest_stream(from_seq=0)
        self.assertTrue(any(line.startswith(b"data:") for line in stream))
        stream.close()  # type: ignore[attr-defined]

    def test_a_lease_renews_itself_and_its_end_is_done_or_failed(self) -> None:
        with lease(self.client, "acme/python#2", "scout-1", ttl=30) as held:
            self.assertEqual(held.headers, {"x-avouch-fence": str(held.fence)})
            held.check()
            self.assertFalse(held.lost.is_set())
        self.assertIn("done", self.marks("acme/python#2"))
        with self.assertRaises(ZeroDivisionError), lease(self.client, "acme/python#3", "scout-1"):
            1 / 0
        self.assertIn("failed", self.marks("acme/python#3"))
        with self.assertRaises(KeyboardInterrupt), lease(self.client, "acme/python#3", "scout-1"):
            raise KeyboardInterrupt
        self.assertFalse(self.client.look(key="acme/python#3")["holders"])

    def test_a_lease_that_somebody_else_released_is_lost(self) -> None:
        claims: List[Dict[str, Any]] = []

        class Watched(Avouch):
            def call(self, operation: str, fields: Any) -> Any:
                claims.append(dict(fields))
                return super().call(operation, fields)

        with (
            self.assertRaises(avouch.LeaseLost) as raised,
            lease(Watched(URL), "acme/python#4", "scout-1", ttl=30) as held,
        ):
            self.client.release(lease=held.lease, token=claims[0]["token"])
            self.assertTrue(held.lost.wait(20))
            raise ValueError("the work heard of it")
        self.assertEqual(raised.exception.code, "lease_lost")
        self.assertIsInstance(raised.exception.__cause__, ValueError)
        self.assertNotIn("outcome", claims[-1])

    def marks(self, key: str) -> str:
        return json.dumps(self.client.look(key=key)["marks"])

    def test_money_is_spent_only_after_go(self) -> None:
        spent = avouch.guard_spend(self.client, SPEND, lambda: "paid")
        self.assertEqual((spent.result, spent.verdict["verdict"]), ("paid", "GO"))
        for code, more in (("STOP", {"instruction_source": "untrusted"}), ("CAUTION", {"reversible": avouch.OMIT})):
            with self.assertRaises(avouch.SpendRefused) as raised:
                avouch.guard_spend(self.client, {**SPEND, **more}, lambda: self.fail("it ran"))
            self.assertEqual(raised.exception.code, code)
            self.assertTrue(raised.exception.detail)
        careful = avouch.guard_spend(self.client, {**SPEND, "reversible": avouch.OMIT}, lambda: "paid", allow="CAUTION")
        self.assertEqual(careful.verdict["verdict"], "CAUTION")
        with self.assertRaises(avouch.SpendRefused):
            stop = {**SPEND, "instruction_source": "untrusted"}
            avouch.guard_spend(self.client, stop, lambda: self.fail("it ran"), allow="STOP")
        with self.assertRaises(avouch.SpendRefused) as refused:
            avouch.guard_spend(self.client, SPEND, lambda: self.fail("it ran"), signed=True)
        self.assertEqual(refused.exception.code, "payment_required")

    @unittest.skipUnless(SIGNER, "AVOUCH_SIGNER is not set")
    def test_a_bought_verdict_verifies_with_its_request(self) -> None:
        def pay(challenge: str) -> Dict[str, str]:
            with urlopen(Request(SIGNER, challenge.encode())) as signed:
                return {"payment-signature": signed.read().decode()}

        question = {**SPEND, "intent_id": str(uuid.uuid4())}
        spent = avouch.guard_spend(self.client.with_options(payer=pay), question, lambda: "paid", signed=True)
        self.assertEqual(spent.result, "paid")
        assert spent.verdict.payment is not None
        self.assertTrue(spent.verdict.payment["transaction"])
        verified = self.client.verify_receipt(spent.verdict, spent.verdict.request)
        self.assertTrue(verified["valid"], verified)
        other = {**spent.verdict.request, "query": {**spent.verdict.request["query"], "amount_usd": "6"}}
        self.assertFalse(self.client.verify_receipt(spent.verdict, other)["valid"])

    def test_a_mandate_allows_seals_and_denies(self) -> None:
        platform = self.client.amh_register(
            name="Shop", mcp_url="https://shop.example/mcp", contact="desk@shop.example"
        )
        client = self.client.with_options(platform_key=platform["api_key"])
        until = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 30 * 86_400))
        made = client.amh_mandate(agent_id="agent:7", principal="Acme", max_commit_cents=5_000, valid_until=until)
        question = {"mandate_id": made["mandate_id"], "action": "order.place", "amount_cents": 1_250, "currency": "EUR"}
        order = {"lines": [{"sku": "A", "count": 2}]}
        done = avouch.mandate(client, {**question, "payload": order}, lambda decision: decision["verify_ref"])
        assert done.sealed is not None
        self.assertEqual((done.result, done.sealed["committed_cents"]), (done.decision["verify_ref"], 1_250))
        with self.assertRaises(ZeroDivisionError):
            avouch.mandate(client, {**question, "payload": "text"}, lambda _: 1 / 0)
        with self.assertRaises(avouch.MandateDenied) as denied:
            avouch.mandate(client, {**question, "amount_cents": 9_999, "payload": order}, lambda _: self.fail("it ran"))
        assert denied.exception.decision is not None
        self.assertFalse(denied.exception.decision["ok"])
        view = client.amh_mandate_view(mandate_id=made["mandate_id"], control_token=made["control_token"])
        self.assertIn("1250", json.dumps(view))


if __name__ == "__main__":
    unittest.main()
