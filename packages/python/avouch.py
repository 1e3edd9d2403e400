"""Client for an Avouch service: one file, standard library only, Python 3.9 and later.

    client = Avouch("http://127.0.0.1:8402")
    with lease(client, "acme/repo#12", "scout-1") as held:
        ...

Every operation is a method of Avouch. verify_receipt, verify_seal and verify_proof need no network.
"""
# mypy: disable-error-code="no-any-return,import-not-found"

from __future__ import annotations

import base64
import binascii
import contextlib
import copy
import functools
import hashlib
import hmac
import http.client
import json
import math
import re
import secrets
import socket
import threading
import time
import uuid
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    NoReturn,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)
from urllib.parse import quote, urlencode, urlsplit


class _Omit:
    def __repr__(self) -> str:
        return "OMIT"


OMIT: Any = _Omit()
"""A field that is not sent. None is sent as null."""


# ---- Errors --------------------------------------------------------------------------------------


class AvouchError(Exception):
    """A call without a result. `code` is the problem's code, or the reason why no answer came."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class AvouchProblem(AvouchError):
    """The service refused the call. `problem` is its problem document (RFC 9457)."""

    def __init__(self, status: int, problem: Dict[str, Any], headers: http.client.HTTPMessage) -> None:
        super().__init__(problem["code"], str(problem.get("detail", "")))
        self.status = status
        self.problem = problem
        self.headers = headers


class AvouchUnreachable(AvouchError):
    """No answer from the service: the call may have been done. `reason` is network, timeout or unreadable."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason


class LeaseNotGranted(AvouchError):
    """The service refused the lease, or did not say whether it granted it."""

    def __init__(self, key: str, error: AvouchError) -> None:
        super().__init__(error.code, f"{key}: {error.detail}")
        wait = _member(error, "wait_s")
        self.wait_seconds: Optional[float] = wait if wait > 0 else None
        """When the work is free at the latest; None if waiting does not help or nobody knows."""


class LeaseLost(AvouchError):
    """The lease ended before the work did, or nobody could be asked whether it is still held."""

    def __init__(self, key: str, code: str) -> None:
        super().__init__(code, f"the lease on {key} is lost. Stop the work: another agent may have it now.")


class SpendRefused(AvouchError):
    """The money was not spent: the verdict forbids it, or there is none."""

    def __init__(self, code: str, detail: str, verdict: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(code, detail)
        self.verdict = verdict


class MandateDenied(AvouchError):
    """The mandate does not allow the action, or nobody could say that it does."""

    def __init__(self, code: str, detail: str, decision: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(code, detail)
        self.decision = decision


def _member(error: AvouchError, name: str) -> float:
    """A number in the problem document, else 0."""
    value = getattr(error, "problem", {}).get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


# ---- Calls ---------------------------------------------------------------------------------------


class Answer(Dict[str, Any]):
    """A JSON answer, with how it came."""

    status: int
    headers: http.client.HTTPMessage
    replayed: bool
    """True if an earlier call with the same key got this answer."""
    request: Dict[str, Any]
    """Method, path and query, in the form that receipts sign."""
    payment: Optional[Dict[str, Any]]
    """How a paid call was settled."""


class Trust(NamedTuple):
    """Keys that were checked before. With them, everything verifies offline."""

    receipt_keys: Sequence[str]
    log_keys: Sequence[str]
    sandbox: bool


class _Request(NamedTuple):
    method: str
    path: str
    query: Dict[str, str]
    headers: Dict[str, str]
    body: Optional[bytes]


class _Reply(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: Union[bytes, Iterator[bytes]]


Payer = Callable[[str], Optional[Mapping[str, str]]]
_Client = TypeVar("_Client", bound="_Caller")

# The documents of the service promise the same answer for these, also without a key.
_SAFE_TWICE = ("/v1/release", "/api/amh/seal", "/api/attest/erase")


class _Caller:
    """Sends calls; the methods for the operations are in Avouch."""

    def __init__(
        self,
        base_url: str,
        *,
        agent_key: Optional[str] = None,
        platform_key: Optional[str] = None,
        payer: Optional[Payer] = None,
        trust: Optional[Trust] = None,
        retries: int = 3,
        max_wait_seconds: float = 10,
        timeout: float = 90,
    ) -> None:
        """
        payer gets the text of PAYMENT-REQUIRED and returns headers that pay, or None.
        A Retry-After above max_wait_seconds is left to the caller.
        timeout is in seconds, for each attempt.
        """
        address = urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"{base_url} is not an http or https address")
        self._address = address
        self.agent_key = agent_key
        self.platform_key = platform_key
        self.payer = payer
        self.trust = trust
        self.retries = retries
        self.max_wait_seconds = max_wait_seconds
        self.timeout = timeout

    def with_options(self: _Client, **options: Any) -> _Client:
        """The same client with other options, such as timeout=5."""
        changed = copy.copy(self)
        for name, value in options.items():
            if name.startswith("_") or name not in vars(self):
                raise TypeError(f"{name} is not an option")
            setattr(changed, name, value)
        return changed

    def call(self, operation: str, fields: Mapping[str, Any]) -> Any:
        """Calls an operation by its id. The named methods do this with typed fields."""
        route = _ROUTES[operation]
        given = {name: value for name, value in fields.items() if value is not OMIT}
        key = (given.pop("idempotency_key", None) if route.get("paid") else None) or str(uuid.uuid4())
        ours = {"x-agent-key": self.agent_key, "x-amh-key": self.platform_key}
        request = _prepare(route, given, ours, key)
        tries, has_paid = 0, False
        while True:
            try:
                reply = self._send(route, request)
                challenge = reply.headers.get("payment-required") if reply.status == 402 else None
                signed = self.payer(challenge) if challenge and self.payer and not has_paid else None
                if signed:
                    request.headers.update(signed)
                    has_paid = True
                    continue
                return _read(route, request, reply)
            except AvouchError as error:
                wait = _wait_of(route, error)
                if wait is None or wait > self.max_wait_seconds or tries >= self.retries:
                    raise
            tries += 1
            time.sleep(wait)

    def _send(self, route: Dict[str, Any], request: _Request) -> _Reply:
        address = self._address
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        connection = kind(address.hostname or "", address.port, timeout=self.timeout)
        target = address.path.rstrip("/") + request.path
        if request.query:
            target += "?" + urlencode(request.query)
        is_stream = False
        try:
            connection.connect()
            open_socket = connection.sock
            connection.request(request.method, target, request.body, request.headers)
            response = connection.getresponse()
            is_stream = route.get("answer") == "stream" and response.status == 200
            if is_stream:
                # A stream goes on until its reader leaves.
                open_socket.settimeout(None)
            body = _lines(connection, response) if is_stream else response.read()
            return _Reply(response.status, response.headers, body)
        except (OSError, http.client.HTTPException) as error:
            reason = "timeout" if isinstance(error, socket.timeout) else "network"
            raise AvouchUnreachable(reason, str(error) or type(error).__name__) from error
        finally:
            if not is_stream:
                connection.close()

    def verify_receipt(self, answer: Mapping[str, Any], request: Any = OMIT) -> Dict[str, Any]:
        """Verifies an answer with its receipt and, if given, that it answers this request."""
        trust = self._trusted()
        if trust is None:
            return {**_untrusted(), "outcome": "signer_not_known"}
        receipt = answer.get("receipt", OMIT)
        return verify_receipt(receipt, answer=answer, request=request, keys=trust.receipt_keys, sandbox=trust.sandbox)

    def verify_seal(self, answer: Any, **options: Any) -> Dict[str, Any]:
        """Verifies the answer of attest_seal or attest_verify."""
        trust = self._trusted()
        return _untrusted() if trust is None else verify_seal(answer, trust.log_keys, **options)

    def verify_proof(self, text: str, **options: Any) -> Dict[str, Any]:
        """Verifies a .tlog-proof file."""
        trust = self._trusted()
        return _untrusted() if trust is None else verify_proof(text, trust.log_keys, **options)

    def _trusted(self) -> Optional[Trust]:
        """The given keys, else those that the service publishes, read once."""
        if self.trust is None:
            try:
                self.trust = trust_in(self.call("service_keys", {}))
            except AvouchError:
                return None
        return self.trust


def trust_in(published: Mapping[str, Any]) -> Trust:
    """Trust in the keys of a service_keys answer. Keep it from a moment when you trusted the address."""
    keys = [key for key in published["keys"] if key["alg"] == "ed25519"]
    return Trust(
        [key["public_key"] for key in keys if key["scope"] == "receipts"],
        [key["vkey"] for key in keys if key["scope"] == "log-checkpoint" and key["vkey"] is not None],
        published["sandbox"],
    )


def _untrusted() -> Dict[str, Any]:
    detail = "no keys were given, and those of the service cannot be read"
    return {"valid": False, "checks": [{"name": "keys", "ok": False, "detail": detail}]}


def _prepare(route: Dict[str, Any], fields: Dict[str, Any], ours: Mapping[str, Optional[str]], key: str) -> _Request:
    """Puts each field where its row says: path, header, query or body."""
    key_field = route.get("keyField")
    if key_field is not None and fields.get(key_field) is None:
        fields[key_field] = fields.get("idempotency_key") or fields.get("request_id") or key
    accept = "*/*" if "answer" in route else "application/json, */*;q=0.5"
    headers = {"accept": accept, "user-agent": "avouch-python"}
    if route.get("paid"):
        headers["idempotency-key"] = key
    for field, header in route.get("headers", {}).items():
        value = fields.pop(field, None)
        value = ours.get(header) if value is None else value
        if value is not None:
            headers[header] = str(value)
    path = re.sub(r"\{(\w+)\}", lambda found: _path_part(route, fields, found.group(1)), route["path"])
    if route["method"] == "get":
        query = {name: _query_text(value) for name, value in fields.items() if value is not None}
        return _Request("GET", path, query, headers, None)
    headers["content-type"] = "application/json"
    return _Request("POST", path, {}, headers, json.dumps(fields, allow_nan=False).encode())


def _path_part(route: Dict[str, Any], fields: Dict[str, Any], name: str) -> str:
    text = str(fields.pop(name))
    return "/".join(map(_segment, text.split("/"))) if route.get("rest") else _segment(text)


def _segment(text: str) -> str:
    # No URL may take it for a step up: the service gets the dots escaped, and refuses them.
    return text.replace(".", "%252E") if text in (".", "..") else quote(text, safe="")


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _wait_of(route: Dict[str, Any], error: AvouchError) -> Optional[float]:
    """Seconds before the same call may be sent again; None if it must not be."""
    is_repeatable = not route.get("writes") or "keyField" in route or route["path"] in _SAFE_TWICE
    if isinstance(error, AvouchUnreachable):
        return 0.25 if is_repeatable else None
    if not isinstance(error, AvouchProblem) or error.status not in (429, 503):
        return None
    # With every other code the service promises that nothing was stored.
    if error.code == "outcome_unknown" and not is_repeatable:
        return None
    header = error.headers.get("retry-after", "")
    return _member(error, "retry_after_s") or (float(header) if header.isdecimal() else 0) or 1


def _read(route: Dict[str, Any], request: _Request, reply: _Reply) -> Any:
    """The answer by its kind. What is neither that nor a problem did not come from the service."""
    status, headers, body = reply
    if 300 <= status < 400:
        raise AvouchUnreachable("unreadable", f"status {status}: redirects are not followed")
    kind = route.get("answer")
    if status < 300 and not isinstance(body, bytes):
        return body
    assert isinstance(body, bytes)
    if status < 300 and kind is not None:
        return body if kind == "bytes" else body.decode("utf-8", "replace")
    try:
        value = parse_json(body)
    except ValueError as error:
        raise AvouchUnreachable("unreadable", f"status {status} without JSON") from error
    if status >= 300:
        if isinstance(value, dict) and isinstance(value.get("code"), str):
            raise AvouchProblem(status, value, headers)
        raise AvouchUnreachable("unreadable", f"status {status} without a problem document")
    if not isinstance(value, dict):
        raise AvouchUnreachable("unreadable", f"status {status} without a JSON object")
    answer = Answer(value)
    answer.status, answer.headers = status, headers
    answer.replayed = headers.get("idempotent-replayed") == "true"
    answer.request = {"method": request.method, "path": request.path, "query": request.query}
    answer.payment = _payment_of(headers)
    return answer


def _payment_of(headers: http.client.HTTPMessage) -> Optional[Dict[str, Any]]:
    try:
        settled = parse_json(base64.b64decode(headers.get("payment-response", "")))
    except ValueError:
        return None
    return settled if isinstance(settled, dict) and settled.get("success") is True else None


def _lines(connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The lines of a stream until it ends or its reader closes the iterator."""
    try:
        yield from response
    except (OSError, http.client.HTTPException) as error:
        raise AvouchUnreachable("network", str(error)) from error
    finally:
        response.close()
        connection.close()


# ---- Leases --------------------------------------------------------------------------------------

_MARGIN = 2.0  # Stops so many seconds before the end: time for the work to hear of it.
_LOOK = 1.0  # A machine that slept finds out after at most this.
_PASSES = ("held", "in_clearance", "slots_full", "already_yours")
_UNANSWERED_TRIES = 4

_Stopwatch = Callable[[], float]


@contextlib.contextmanager
def lease(
    client: Avouch,
    key: str,
    agent: str,
    ttl: int = 600,
    mode: str = "exclusive",
    wait_seconds: float = 0,
    **more: Any,
) -> Iterator[Held]:
    """Holds a lease for the block: released as done, or as failed after an exception.

    Raises LeaseNotGranted if the work is not free within wait_seconds. If the lease is lost, the block's
    end raises LeaseLost: call held.check() before each step, or wait for held.lost.
    """
    claim = {"key": key, "agent": agent, "ttl": ttl, "mode": mode, **more, "token": secrets.token_urlsafe(32)}
    held = Held(client, claim, *_granted(client, claim, wait_seconds))
    try:
        # A grant whose answer came too late is lost already.
        held.check()
        yield held
        held.check()
    except Exception as error:
        held.release("failed")
        if held.lost.is_set() and not isinstance(error, LeaseLost):
            raise LeaseLost(held.key, held.code) from error
        raise
    except BaseException:
        held.release("failed")
        raise
    held.release("done")
    held.check()


class Held:
    """A lease that renews itself until it is released or lost."""

    def __init__(
        self, client: Avouch, claim: Dict[str, Any], granted: Mapping[str, Any], since_sent: _Stopwatch
    ) -> None:
        self.key: str = granted["key"]
        self.lease: str = granted["lease"]
        self.fence: int = granted["fence"]
        """Grows with every grant: what you write to rejects lower ones."""
        self.headers = {"x-avouch-fence": str(self.fence)}
        self.lost = threading.Event()
        """Set two seconds before the lease could be somebody else's."""
        self.code = ""
        """Why it was lost: a problem's code, or not_renewed."""
        self._client = client
        self._claim = claim
        self._term = (since_sent, float(granted["expires_in_s"]))
        self._over = threading.Event()
        self._lock = threading.Lock()
        for work in (self._watch, self._renew):
            threading.Thread(target=work, name=f"avouch lease {self.key}", daemon=True).start()

    def check(self) -> None:
        """Raises LeaseLost if the lease is lost. Looks at the clock, so it needs no thread to have noticed."""
        self._lose_if_late()
        with self._lock:
            if self.lost.is_set():
                raise LeaseLost(self.key, self.code)

    def release(self, outcome: str = "done", note: str = OMIT, evidence: str = OMIT) -> None:
        """Stops the renewing and frees the work. Does nothing once the lease is lost or released."""
        self._lose_if_late()
        if not self._end():
            return
        client = self._client.with_options(timeout=5, retries=1)
        # If nobody hears it, the lease ends by itself.
        with contextlib.suppress(AvouchError):
            token = self._claim["token"]
            client.release(lease=self.lease, token=token, outcome=outcome, note=note, evidence=evidence)

    def _left(self) -> float:
        since_sent, lasts = self._term
        return lasts - _MARGIN - since_sent()

    def _lose_if_late(self) -> None:
        if self._left() <= 0:
            self._end("not_renewed")

    def _end(self, lost: Optional[str] = None) -> bool:
        """Ends the lease once, as lost or as released; False if it had ended."""
        with self._lock:
            if self._over.is_set():
                return False
            self._over.set()
            if lost is not None:
                self.code = lost
                self.lost.set()
            return True

    def _watch(self) -> None:
        """In its own thread: a request that hangs must not delay it."""
        while not self._over.wait(max(0.0, min(self._left(), _LOOK))):
            self._lose_if_late()

    def _renew(self) -> None:
        unanswered = 0
        while True:
            since_sent, lasts = self._term
            pause = _pause(unanswered) if unanswered else (lasts - since_sent()) / 3
            if self._over.wait(max(0.0, pause)):
                return
            since_sent = _stopwatch()
            # One that hangs leaves time for others.
            client = self._client.with_options(retries=0, timeout=max(1.0, self._left() / 3))
            try:
                lasts = float(client.claim(**self._claim, lease=self.lease)["expires_in_s"])
            except AvouchError as error:
                if not _is_unsure(error):
                    self._end(error.code)
                    return
                unanswered += 1
            else:
                unanswered = 0
                self._term = (since_sent, lasts)


def _granted(client: Avouch, claim: Dict[str, Any], wait_seconds: float) -> Tuple[Answer, _Stopwatch]:
    """Asks until the claim is granted, refused for good, or waited for long enough."""
    since_begun = _stopwatch()
    unanswered = attempt = 0
    may_be_granted = False
    try:
        while True:
            since_sent = _stopwatch()
            # An interrupt may come before the answer.
            before, may_be_granted = may_be_granted, True
            try:
                # The token is ours, so a claim whose answer was lost is granted again instead of twice.
                return client.claim(**claim, attempt=min(attempt, 20)), since_sent
            except AvouchError as error:
                left = wait_seconds - since_begun()
                if _is_unsure(error):
                    if isinstance(error, AvouchProblem) and error.status == 429:
                        may_be_granted = before
                    unanswered += 1
                    asked, pause = _member(error, "retry_after_s"), _pause(unanswered)
                    ends = (unanswered >= _UNANSWERED_TRIES and left <= 0) or asked > max(left, pause)
                    pause = max(asked, pause)
                else:
                    may_be_granted = False
                    unanswered = 0
                    ends = left <= 0 or error.code not in _PASSES
                    pause = min(left, _member(error, "retry_in_s") or 4.0)
                if ends:
                    raise LeaseNotGranted(claim["key"], error) from error
            attempt += 1
            time.sleep(pause)
    except BaseException:
        if may_be_granted:
            _give_back(client, claim)
        raise


def _give_back(client: Avouch, claim: Dict[str, Any]) -> None:
    """Frees what was granted by an answer that was lost. With negative hops nothing is granted anew."""
    client = client.with_options(timeout=5, retries=0)
    for tries in range(1, _UNANSWERED_TRIES):
        # The service may not have finished the claim yet.
        time.sleep(_pause(tries))
        try:
            granted = client.claim(**{**claim, "hops": -1})
            client.release(lease=granted["lease"], token=claim["token"])
            return
        except AvouchError as error:
            if not _is_unsure(error):
                return


def _is_unsure(error: AvouchError) -> bool:
    """Says nothing about the lease: too many calls, an outage, or no answer."""
    return not isinstance(error, AvouchProblem) or error.status == 429 or error.status >= 500


def _pause(unanswered: int) -> float:
    return float(min(0.25 * 2 ** (unanswered - 1), 4.0))


def _stopwatch() -> _Stopwatch:
    """Seconds since now, the longer of two clocks: one stops while the machine sleeps, one can be set back."""
    steady, wall = time.monotonic(), time.time()
    return lambda: max(time.monotonic() - steady, time.time() - wall)


# ---- Guards --------------------------------------------------------------------------------------


class Spent(NamedTuple):
    result: Any
    verdict: Answer


class Mandated(NamedTuple):
    result: Any
    decision: Answer
    sealed: Optional[Answer]
    """None if the service did not record that it was done. The work is done either way."""


def guard_spend(
    client: Avouch,
    question: Mapping[str, Any],
    work: Callable[[], Any],
    allow: Optional[str] = None,
    signed: bool = False,
) -> Spent:
    """Runs work only after GO. Raises SpendRefused after STOP, CAUTION (unless allowed) or no answer.

    With signed=True the client's payer buys the verdict, which has a receipt.
    """
    try:
        answer = client.call("spend_fuse" if signed else "check", question)
    except AvouchError as error:
        raise SpendRefused(error.code, error.detail) from error
    said = answer["result"] if signed else answer
    verdict = said["verdict"]
    if verdict != "GO" and (verdict != "CAUTION" or allow != "CAUTION"):
        why = " ".join(check["why"] for check in said["checks"] if check["result"] == verdict)
        raise SpendRefused(verdict, why, said)
    return Spent(work(), answer)


def mandate(client: Avouch, question: Mapping[str, Any], work: Callable[[Answer], Any]) -> Mandated:
    """Runs work(decision) only if the mandate allows it, and seals that it was placed or failed.

    question has the fields of amh_verify, with payload (text, bytes or JSON) instead of payload_hash.
    Otherwise raises MandateDenied.
    """
    fields = dict(question)
    if "payload" in fields:
        fields["payload_hash"] = payload_hash(fields.pop("payload"))
    try:
        decision = client.call("amh_verify", fields)
    except AvouchError as error:
        raise MandateDenied(error.code, error.detail) from error
    if decision["ok"] is not True:
        raise MandateDenied(decision["reason"], f"the mandate answers {decision['decision']}", decision)
    try:
        result = work(decision)
    except BaseException:
        _seal(client, decision, "failed")
        raise
    return Mandated(result, decision, _seal(client, decision, "placed"))


def _seal(client: Avouch, decision: Answer, outcome: str) -> Optional[Answer]:
    try:
        return client.amh_seal(verify_ref=decision["verify_ref"], outcome=outcome)
    except AvouchError:
        return None


def payload_hash(payload: Any) -> str:
    """SHA-256 in the form that a mandate's question takes. Objects are hashed as canonical JSON."""
    if not isinstance(payload, bytes):
        payload = (payload if isinstance(payload, str) else canonical_json(payload)).encode()
    return "sha256:" + _sha256(payload).hex()


# ---- Strict reading: every value has one spelling ------------------------------------------------


class Refused(ValueError):
    """Something is not what it claims to be."""


def _refuse(detail: str) -> NoReturn:
    raise Refused(detail)


def _need(condition: bool, detail: str) -> None:
    if not condition:
        _refuse(detail)


def parse_json(text: Union[str, bytes]) -> Any:
    """Reads JSON, and refuses a member that is there twice and numbers that JSON does not have."""
    try:
        whole = text.decode() if isinstance(text, bytes) else text
        return json.loads(whole, object_pairs_hook=_once, parse_constant=_refuse)
    except RecursionError:
        _refuse("JSON is nested too deeply")


def _once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    members = dict(pairs)
    _need(len(members) == len(pairs), "it has a member twice")
    return members


def canonical_json(value: Any, depth: int = 0) -> str:
    """RFC 8785 (JCS): the one JSON text of a value."""
    if isinstance(value, str):
        return json.dumps(_text(value, "a JSON text"), ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return _number_text(value)
    _need(isinstance(value, (dict, list, tuple)), f"a value of type {type(value).__name__} is not JSON")
    _need(depth < 64, "JSON is nested too deeply")
    if not isinstance(value, dict):
        return "[" + ",".join(canonical_json(part, depth + 1) for part in value) + "]"
    _need(all(isinstance(name, str) for name in value), "a member has a name that is not a text")
    names = sorted(value, key=lambda name: _text(name, "a JSON text").encode("utf-16-be"))
    parts = (f"{canonical_json(name)}:{canonical_json(value[name], depth + 1)}" for name in names)
    return "{" + ",".join(parts) + "}"


def _number_text(value: Union[int, float]) -> str:
    """A number as ECMAScript writes it, which has only doubles."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    _need(math.isfinite(number), "a number is not JSON")
    if number == 0:
        return "0"
    mantissa, _, power = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    padded = (whole + fraction).lstrip("0")
    point = int(power or 0) + len(padded) - len(fraction)
    digits = padded.rstrip("0")
    if 0 < point <= 21:
        text = digits[:point].ljust(point, "0") + ("." + digits[point:] if digits[point:] else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        rest = "." + digits[1:] if digits[1:] else ""
        text = f"{digits[0]}{rest}e{point - 1:+d}"
    return f"-{text}" if number < 0 else text


def _text(value: Any, what: str, most: int = 1_000_000) -> str:
    _need(isinstance(value, str), f"{what} is not a text of at most {most} characters")
    _need(not re.search("[\ud800-\udfff]", value), f"{what} is not well-formed Unicode")
    # As ECMAScript counts: units of UTF-16.
    _need(len(value.encode("utf-16-le")) <= 2 * most, f"{what} is not a text of at most {most} characters")
    return str(value)


def _object(value: Any, what: str) -> Dict[str, Any]:
    if not isinstance(value, dict):
        _refuse(f"{what} is not an object")
    return value


def _list(value: Any, what: str, most: int) -> List[Any]:
    if not isinstance(value, list) or len(value) > most:
        _refuse(f"{what} is not a list of at most {most}")
    return value


def _base64(value: Any, what: str) -> bytes:
    text = _text(value, what)
    try:
        decoded = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        _refuse(f"{what} is not base64")
    # Stray bits before the padding would be a second spelling.
    _need(base64.b64encode(decoded).decode() == text, f"{what} is not canonical base64")
    return decoded


def _hash(value: Any, what: str) -> bytes:
    decoded = _base64(value, what)
    _need(len(decoded) == 32, f"{what} is not 32 bytes")
    return decoded


def _hashes(value: Any, what: str) -> List[bytes]:
    return [_hash(text, what) for text in _list(value, what, 64)]


def _decimal(text: str, what: str) -> int:
    _need(re.fullmatch("0|[1-9][0-9]{0,18}", text) is not None and int(text) < 2**63, f"{what} is not a size")
    return int(text)


def _size(value: Any, what: str) -> int:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    _need(is_number and 0 <= value < 2**53 and value == int(value), f"{what} is not a whole number")
    return int(value)


def _same(one: Any, other: Any) -> bool:
    """Equal scalars of one type: True is not 1."""
    if isinstance(one, (dict, list)) or isinstance(one, bool) != isinstance(other, bool):
        return False
    return bool(one == other)


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


# ---- Ed25519 (RFC 8032) --------------------------------------------------------------------------

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_Point = Tuple[int, int, int, int]


def verify_ed25519(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Uses the package cryptography if it is installed. Keys and signatures have one spelling."""
    y, sign = _split(public_key)
    is_spelt = len(public_key) == 32 and y < _P and not (sign and y in (1, _P - 1))
    if not is_spelt or len(signature) != 64 or int.from_bytes(signature[32:], "little") >= _L:
        return False
    return _installed_ed25519()(public_key, message, signature)


@functools.cache
def _installed_ed25519() -> Callable[[bytes, bytes, bytes], bool]:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return _plain_ed25519

    def by_cryptography(public_key: bytes, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    return by_cryptography


def _plain_ed25519(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Not in constant time, which only secrets would need: everything here is public."""
    y, sign = _split(public_key)
    x = _x_of(y, sign)
    if x is None:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    factor, scalar = int.from_bytes(digest, "little") % _L, int.from_bytes(signature[32:], "little")
    negated: _Point = (_P - x, y, 1, -x * y % _P)
    table = [_NEUTRAL, _BASE, negated, _add(_BASE, negated)]
    # scalar * base - factor * key, both factors a bit at a time
    point = _NEUTRAL
    for bit in range(255, -1, -1):
        point = _add(_add(point, point), table[(scalar >> bit & 1) + 2 * (factor >> bit & 1)])
    inverse = pow(point[2], -1, _P)
    encoded = point[1] * inverse % _P | (point[0] * inverse % _P & 1) << 255
    return encoded.to_bytes(32, "little") == signature[:32]


def _split(encoded: bytes) -> Tuple[int, int]:
    number = int.from_bytes(encoded, "little")
    return number & 2**255 - 1, number >> 255


def _x_of(y: int, sign: int) -> Optional[int]:
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    if (x * x - square) % _P:
        return None
    return x if x & 1 == sign else _P - x


def _add(one: _Point, other: _Point) -> _Point:
    """In extended coordinates; the formula is complete, so it doubles too."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


_NEUTRAL: _Point = (0, 1, 1, 0)
_BASE_Y = 4 * pow(5, -1, _P) % _P
_BASE_X = _x_of(_BASE_Y, 0) or 0
_BASE: _Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)


# ---- Signed checkpoints (C2SP signed-note, tlog-checkpoint) and Merkle tree (RFC 6962) -----------

_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_VKEY = re.compile(f"([^+{_SPACE}]+)\\+([0-9a-f]{{8}})\\+([A-Za-z0-9+/=]+)")
_SIGNATURE = re.compile(f"\u2014 ([^+{_SPACE}]+) ([A-Za-z0-9+/=]+)")
_Checkpoint = Dict[str, Any]


def _open_vkey(vkey: Any) -> Tuple[str, str, bytes]:
    found = _VKEY.fullmatch(_text(vkey, "vkey", 4096)) or _refuse("vkey is not name+id+key")
    name, key_id, encoded = found.groups()
    typed = _base64(encoded, "the key of the vkey")
    _need(len(typed) == 33 and typed[0] == 1, "vkey is not an Ed25519 key of type 1")
    digest = _sha256(name.encode(), b"\n", typed)
    _need(digest[:4].hex() == key_id, "the key id of the vkey is not that of its name and key")
    return name, key_id, typed[1:]


def _open_checkpoint(note: Any, vkey: Any) -> _Checkpoint:
    """Origin, size and root of a checkpoint that a given key of its origin signed."""
    keys = [_open_vkey(one) for one in (vkey if isinstance(vkey, (list, tuple)) else [vkey])]
    text, signatures = _parse_note(note)
    lines = re.fullmatch("([^\n]+)\n([^\n]+)\n([^\n]+)\n", text)
    origin, size, root = (lines or _refuse("the checkpoint is not exactly three lines")).groups()
    is_signed = False
    for name, key_id, signature in signatures:
        key = next((key for one, its_id, key in keys if (one, its_id) == (name, key_id)), None)
        if key is None:
            continue
        _need(verify_ed25519(key, text.encode(), signature), "the signature of the checkpoint is wrong")
        is_signed = is_signed or name == origin
    _need(is_signed, "no given key of its origin signed the checkpoint")
    return {"origin": origin, "size": _decimal(size, "the size of the checkpoint"), "root": _hash(root, "the root")}


def _parse_note(value: Any) -> Tuple[str, List[Tuple[str, str, bytes]]]:
    note = _text(value, "the checkpoint")
    _need(not re.search("[\0-\t\x0b-\x1f]", note), "the checkpoint has a control character")
    end = note.rfind("\n\n")
    _need(end != -1 and note.endswith("\n"), "the checkpoint has no blank line before its signatures")
    lines = note[end + 2 : -1].split("\n")
    _need(len(lines) <= 64, "the checkpoint has more than 64 signatures")
    signatures = []
    for line in lines:
        found = _SIGNATURE.fullmatch(line) or _refuse("the checkpoint has a line that is not a signature")
        blob = _base64(found.group(2), "a signature")
        _need(len(blob) > 4, "a signature is too short")
        signatures.append((found.group(1), blob[:4].hex(), blob[4:]))
    return note[: end + 1], signatures


def _need_inclusion(index: int, leaf: bytes, path: List[bytes], checkpoint: _Checkpoint) -> None:
    _need(index < checkpoint["size"], "the index lies beyond the tree")
    root, at, edge = leaf, index, checkpoint["size"] - 1
    for sibling in path:
        _need(edge != 0, "the proof has too many hashes")
        if at % 2 == 1 or at == edge:
            root = _sha256(b"\1", sibling, root)
            while at % 2 == 0 and at != 0:
                at, edge = at >> 1, edge >> 1
        else:
            root = _sha256(b"\1", root, sibling)
        at, edge = at >> 1, edge >> 1
    _need(edge == 0, "the proof has too few hashes")
    _need(root == checkpoint["root"], "entry and proof do not hash to the signed root")


def _tree_root(leaves: List[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return _sha256(b"\1", _tree_root(leaves[:half]), _tree_root(leaves[half:]))


# ---- Verification: the checks of avouch-verify.mjs, under the same names -------------------------


class _Report:
    """Collects checks; ok is None for what was not asked or cannot be checked."""

    def __init__(self) -> None:
        self.checks: List[Dict[str, Any]] = []

    def check(self, name: str, work: Callable[..., Any], *args: Any) -> Any:
        """Runs one check and returns its value, or None if it refuses."""
        try:
            value = work(*args)
        except Refused as error:
            self.checks.append({"name": name, "ok": False, "detail": str(error)})
            return None
        self.checks.append({"name": name, "ok": True})
        return True if value is None else value

    def skip(self, name: str, detail: str) -> None:
        self.checks.append({"name": name, "ok": None, "detail": detail})

    def result(self, **more: Any) -> Dict[str, Any]:
        return {"valid": all(check["ok"] is not False for check in self.checks), "checks": self.checks, **more}


class _Entry(NamedTuple):
    content: bytes
    entry: Dict[str, Any]
    leaf: bytes
    id: str


def _open_entry(content: bytes) -> _Entry:
    """The entry that the bytes spell in the only way that JCS allows."""
    _need(0 < len(content) <= 65_535, "the entry has a wrong size")
    try:
        text = content.decode()
        parsed = parse_json(text)
    except ValueError:
        _refuse("the entry is not JSON in UTF-8")
    entry = _object(parsed, "the entry")
    _need(canonical_json(entry) == text, "the entry is not canonical JSON")
    is_known = _same(entry.get("v"), 1) and entry.get("type") in ("seal", "mark", "release")
    _need(is_known, "the entry has an unknown version or type")
    leaf = _sha256(b"\0", content)
    return _Entry(content, entry, leaf, "ATT-" + base64.b32encode(leaf).decode().rstrip("="))


def _commitment(seed: bytes, field: str, value: Any) -> str:
    """Under a salt of HKDF-SHA256 (RFC 5869) with an empty salt and one block of output."""
    extracted = hmac.new(bytes(32), seed, hashlib.sha256).digest()
    salt = hmac.new(extracted, f"astralock/v1/{field}".encode() + b"\1", hashlib.sha256).digest()
    return _sha256(b"\2", salt, canonical_json(value).encode()).hex()


def _need_claim(entry: Dict[str, Any], claim: Any, seed: bytes) -> None:
    named = {_text(name, "a field"): value for name, value in _object(claim, "the claim").items()}
    fields = {name: _commitment(seed, name, value) for name, value in named.items()}
    digest = _sha256(canonical_json(fields).encode()).hex()
    _need(_same(digest, entry.get("claim_commitment")), "the claim is not the one that the entry commits to")


def _need_disclosure(entry: Dict[str, Any], commitments: Any, disclosed: Any) -> None:
    """Single fields that a holder shows, each under its salt."""
    for field, text in _object(commitments, "commitments").items():
        _need(_is_hex(text), f"the commitment of {field} is not a hash")
    digest = _sha256(canonical_json(commitments).encode()).hex()
    _need(_same(digest, entry.get("claim_commitment")), "the commitments are not those that the entry binds")
    for field, shown in _object(disclosed, "disclosed").items():
        salt = _object(shown, field).get("salt")
        _need(_is_hex(salt), f"the salt of {field} is not 32 bytes")
        own = _sha256(b"\2", bytes.fromhex(str(salt)), canonical_json(shown.get("value", OMIT)).encode())
        _need(commitments.get(field) == own.hex(), f"{field} is not what was sealed")


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _need_observations(entry: Dict[str, Any], observations: Any, seed: bytes) -> None:
    sealed = _list(entry.get("observations"), "the observations of the entry", 256)
    shown = _list(observations, "the observations", 256)
    _need(len(shown) == len(sealed), "not as many observations as sealed")
    for index, seen in enumerate(shown):
        commitment = _object(sealed[index], "an observation of the entry").get("commitment")
        own = _commitment(seed, f"observation/{index}", seen)
        _need(_same(own, commitment), f"observation {index} is not the sealed one")


def _need_bundle_root(entry: Dict[str, Any]) -> None:
    seen = _list(entry.get("observations"), "the observations of the entry", 256)
    root = entry.get("bundle_root", OMIT)
    if not seen:
        return _need(root is None, "a bundle root without observations")
    leaves = [_sha256(b"\0", canonical_json(one).encode()) for one in seen]
    return _need(_same(_tree_root(leaves).hex(), root), "the bundle root is not that of the observations")


_REPEATED = "type schema_id evidence_class verdict code sandbox sealed_at claim_commitment origin corrects follows_up"


def _need_repeated(answer: Dict[str, Any], opened: _Entry) -> None:
    entry = opened.entry
    for name in _REPEATED.split():
        # A verify answer has null for what an entry of that type does not have.
        is_same = name not in answer or _same(answer[name], entry.get(name))
        _need(is_same, f"{name} of the answer is not that of the entry")
    is_same = "leaf_hash" not in answer or answer["leaf_hash"] == opened.leaf.hex()
    _need(is_same, "leaf_hash is not that of the entry")
    fee = answer.get("fee")
    if isinstance(fee, dict) and "fee_eurocents" in fee:
        is_same = _same(fee["fee_eurocents"], entry.get("fee_eurocents", OMIT))
        _need(is_same, "fee_eurocents of the answer is not that of the entry")


def _is_erased(answer: Dict[str, Any]) -> bool:
    """By the word of the service: nothing in the log shows what is not there any more."""
    checks = answer.get("checks")
    named = [one for one in checks if isinstance(one, dict)] if isinstance(checks, list) else []
    return any(one.get("name") == "claim_commitment" and one.get("state") == "erased" for one in named)


def _check_shown(report: _Report, answer: Dict[str, Any], entry: Dict[str, Any], ignore_claim: bool) -> None:
    """The claim and observations that an answer shows, against what the entry commits to."""
    claim, seen = answer.get("claim"), answer.get("observations")
    is_shown = claim is not None
    seen = [] if seen is None else seen
    if "disclosed" in answer or "commitments" in answer:
        shown = (answer.get("commitments"), answer.get("disclosed"))
        report.check("disclosure", _need_disclosure, entry, *shown)
    if ignore_claim or (not is_shown and seen in ([], "")):
        why = "the service says that the claim was erased" if _is_erased(answer) else "no claim is shown"
        return report.skip("claim_commitment", "ignored as asked: the claim is not proven" if is_shown else why)
    if entry.get("claim_commitment", OMIT) is None and "disclosure_seed" not in answer:
        return report.check("claim_in_clear", _need_in_clear, claim, entry)
    seed = report.check("disclosure_seed", _open_seed, answer)
    if seed is None:
        return None
    if is_shown:
        report.check("claim_commitment", _need_claim, entry, claim, seed)
    if entry["type"] != "seal":
        return None
    report.check("observation_commitments", _need_observations, entry, seen, seed)
    if is_shown and "claim_sha256" in answer:
        detail = "claim_sha256 is not that of the claim"
        report.check("claim_sha256", _need_digest, claim, answer["claim_sha256"], detail)
    return None


def _need_in_clear(claim: Any, entry: Dict[str, Any]) -> None:
    is_same = canonical_json(claim) == canonical_json(entry.get("claim", OMIT))
    _need(is_same, "the claim is not the one in the entry")


def _open_seed(answer: Dict[str, Any]) -> bytes:
    _need("disclosure_seed" in answer, "a claim is shown without the seed that ties it to the entry")
    return _hash(answer["disclosure_seed"], "disclosure_seed")


def _need_digest(value: Any, digest: Any, detail: str) -> None:
    _need(_same(_sha256(canonical_json(value).encode()).hex(), digest), detail)


def _whole_answer(answer: Any) -> Any:
    """A minimal answer of a seal with what stands in its proof alone: entry, inclusion and checkpoint."""
    if not isinstance(answer, dict) or "seq" not in answer or not isinstance(answer.get("proof"), str):
        return answer
    if any(name in answer for name in ("entry", "inclusion", "checkpoint")):
        return answer
    head, _, note = answer["proof"].partition("\n\n")
    lines = head.split("\n")
    if len(lines) < 3:
        return answer
    sizes = [_size_in(text) for text in ((note.split("\n") + [""])[1], lines[2][len("index ") :])]
    inclusion = {"tree_size": sizes[0], "index": sizes[1], "hashes": lines[3:]}
    # Only cut out here: the check of the proof reads it.
    return {**answer, "entry": lines[1][len("extra ") :], "inclusion": inclusion, "checkpoint": note}


def _size_in(digits: str) -> Optional[int]:
    return int(digits) if re.fullmatch("0|[1-9][0-9]{0,14}", digits) else None


def verify_seal(
    answer: Any, vkey: Any, *, attestation_id: Optional[str] = None, ignore_claim: bool = False
) -> Dict[str, Any]:
    """Verifies the answer of attest_seal, minimal or whole, or of attest_verify.

    vkey is the key of the log, or a list of them, from a source other than the answer. A shown claim that
    nothing ties to the entry is refused, unless ignore_claim says that it does not matter.
    """
    answer = _whole_answer(answer)
    report = _Report()
    opened = report.check("entry", lambda: _open_entry(_base64(_object(answer, "the answer").get("entry"), "entry")))
    if opened is None:
        return report.result()

    def need_id() -> None:
        _need(answer.get("attestation_id") == opened.id, f"the entry is {opened.id}, not the one that the answer names")
        is_asked = attestation_id is None or attestation_id == opened.id
        _need(is_asked, f"the entry is {opened.id}, not the one asked about")

    report.check("id_matches_entry", need_id)
    report.check("answer_matches_entry", _need_repeated, answer, opened)
    if opened.entry["type"] == "seal":
        report.check("bundle_root", _need_bundle_root, opened.entry)
    _check_shown(report, answer, opened.entry, ignore_claim)
    checkpoint = report.check("checkpoint_signature", _open_checkpoint, answer.get("checkpoint"), vkey)
    if checkpoint is None:
        return report.result()
    report.check("inclusion", _need_place, answer, opened.leaf, checkpoint)
    if "proof" in answer:
        report.check("proof_file", _need_file, answer, vkey, opened)
    return report.result(attestation_id=opened.id, entry=opened.entry, checkpoint=checkpoint)


def _need_place(answer: Dict[str, Any], leaf: bytes, checkpoint: _Checkpoint) -> None:
    inclusion = _object(answer.get("inclusion"), "inclusion")
    index = _size(inclusion.get("index"), "index")
    size = _size(inclusion.get("tree_size"), "tree_size")
    _need(size == checkpoint["size"], "tree_size is not that of the checkpoint")
    _need(_same(answer.get("seq"), inclusion["index"]), "seq is not the proven index")
    _need_inclusion(index, leaf, _hashes(inclusion.get("hashes"), "a hash of the proof"), checkpoint)


def _need_file(answer: Dict[str, Any], vkey: Any, opened: _Entry) -> None:
    file = verify_proof(answer["proof"], vkey, entry=opened.content, attestation_id=opened.id)
    failed = [check["detail"] for check in file["checks"] if check["ok"] is False]
    _need(file["valid"], failed[0] if failed else "")
    _need(file["index"] == _size(answer.get("seq"), "seq"), "the proof file proves another index")


class _Proof(NamedTuple):
    extra: Optional[bytes]
    place: int
    path: List[bytes]
    note: str


def _parse_proof(value: Any) -> _Proof:
    text = _text(value, "the proof")
    head, blank, note = text.partition("\n\n")
    _need(blank != "", "the proof has no blank line before its checkpoint")
    header, *lines = head.split("\n")
    _need(header == "c2sp.org/tlog-proof@v1", "the first line is not c2sp.org/tlog-proof@v1")
    has_extra = bool(lines) and lines[0].startswith("extra ")
    extra = _base64(lines.pop(0)[6:], "the extra line") if has_extra else None
    _need(bool(lines) and lines[0].startswith("index "), "the proof has no index")
    path = _hashes(lines[1:], "a hash of the proof")
    return _Proof(extra, _decimal(lines[0][6:], "the index"), path, note)


def verify_proof(
    text: Any, vkey: Any, *, entry: Optional[bytes] = None, attestation_id: Optional[str] = None
) -> Dict[str, Any]:
    """Verifies a .tlog-proof file about the given entry or id; with neither, about the file's own entry."""
    report = _Report()
    proof = report.check("proof_file", _parse_proof, text)
    if proof is None:
        return report.result()

    def open_asked() -> _Entry:
        content = proof.extra if entry is None else entry
        if content is None:
            _refuse("the file holds no entry and none was given")
        opened = _open_entry(content)
        is_same = proof.extra is None or proof.extra == content
        _need(is_same, "the file is about another entry than the given one")
        return opened

    opened = report.check("entry", open_asked)
    if opened is None:
        return report.result()
    if attestation_id is None:
        report.skip("id_matches_entry", f"no id was asked about: the entry is {opened.id}")
    else:
        detail = f"the entry is {opened.id}, not the one asked about"
        report.check("id_matches_entry", _need, attestation_id == opened.id, detail)
    checkpoint = report.check("checkpoint_signature", _open_checkpoint, proof.note, vkey)
    if checkpoint is None:
        return report.result()
    report.check("inclusion", _need_inclusion, proof.place, opened.leaf, proof.path, checkpoint)
    found = {"attestation_id": opened.id, "index": proof.place, "entry": opened.entry}
    return report.result(**found, checkpoint=checkpoint)


# ---- Receipts ------------------------------------------------------------------------------------

_REPEATED_IN_ANSWER = ("kind", "sandbox")  # Compared with the receipt, not hashed.


def verify_receipt(
    receipt: Any, *, answer: Any = OMIT, request: Any = OMIT, keys: Any = None, sandbox: bool = False
) -> Dict[str, Any]:
    """Verifies a receipt and the whole answer that it came with.

    keys (public keys in base64, or rows of service_keys) come from a source other than the receipt. A
    sandbox receipt is refused unless sandbox says that you expect one. valid is true only for the outcome
    valid: a given key signed this answer and, if you gave one, the request.
    """
    report = _Report()
    signed = report.check("signature", _open_receipt, receipt)
    if signed is None:
        return _receipt_result(report, answer)
    if keys is None:
        report.skip("key_published", "no keys were given: anybody may have signed")
    else:
        report.check("key_published", _need_key, keys, signed)
    unsigned = None
    if answer is OMIT:
        report.skip("result_sha256", "no answer was given")
    elif "covers" not in signed:
        report.skip("result_sha256", "the receipt does not say what it signs")
    else:
        unsigned = report.check("result_sha256", _need_answer, answer, receipt)
    if request is OMIT:
        report.skip("request_sha256", "no request was given")
    else:
        detail = "the receipt is of another request"
        report.check("request_sha256", _need_digest, request, signed.get("request_sha256"), detail)
    report.check("sandbox", _need_sandbox, signed, sandbox)
    more = {"receipt": signed} if unsigned is None else {"receipt": signed, "uncovered": unsigned}
    return _receipt_result(report, answer, **more)


def _receipt_result(report: _Report, answer: Any, **more: Any) -> Dict[str, Any]:
    ok = {check["name"]: check["ok"] for check in report.checks}
    if False in ok.values():
        outcome = "invalid"
    elif ok.get("key_published") is not True:
        outcome = "signer_not_known"
    elif answer is OMIT:
        outcome = "answer_not_given"
    else:
        outcome = "valid" if ok.get("result_sha256") is True else "answer_not_covered"
    return {**report.result(**more), "valid": outcome == "valid", "outcome": outcome}


def _open_receipt(receipt: Any) -> Dict[str, Any]:
    signed = {name: value for name, value in _object(receipt, "the receipt").items() if name != "signature"}
    kind = _text(signed.get("type"), "type", 64)
    is_receipt = re.fullmatch(r"avouch\.(?:verdict|amh|wallet|lease)-receipt\.v1", kind)
    _need(is_receipt is not None, "type is not that of a receipt")
    public_key = _hash(signed.get("signer_pubkey"), "signer_pubkey")
    signature = _base64(receipt.get("signature"), "the signature")
    _need(len(signature) == 64, "the signature is not 64 bytes")
    is_signed = verify_ed25519(public_key, canonical_json(signed).encode(), signature)
    _need(is_signed, "the receipt is not signed by its signer_pubkey")
    return signed


def _need_key(keys: Any, signed: Dict[str, Any]) -> None:
    public_key, kid = signed["signer_pubkey"], signed.get("kid")
    for key in _list(list(keys) if isinstance(keys, tuple) else keys, "the keys", 10_000):
        row = key if isinstance(key, dict) else {"public_key": key}
        its_kid = kid if row.get("kid") is None else row["kid"]
        if row.get("public_key") == public_key and its_kid == kid:
            return
    _refuse("the signing key is none of the given keys")


def _need_answer(value: Any, receipt: Dict[str, Any]) -> List[str]:
    """Refuses unless the answer is the one that the receipt signs; returns what it does not sign."""
    answer = _object(value, "the answer")
    is_own = "receipt" not in answer or canonical_json(answer["receipt"]) == canonical_json(receipt)
    _need(is_own, "the answer holds another receipt")
    for name in _REPEATED_IN_ANSWER:
        is_same = name not in answer or _same(answer[name], receipt.get(name, OMIT))
        _need(is_same, f"{name} is not that of the receipt")
    covers = receipt["covers"]
    pointers = [covers] if isinstance(covers, str) else _list(covers, "covers", 64)
    for pointer in pointers:
        is_pointer = re.fullmatch("(?:/(?:[^/~]|~[01])+){1,4}", _text(pointer, "covers", 256))
        _need(is_pointer is not None, "covers is not of pointers")
    _need(0 < len(pointers) == len(set(pointers)), "covers is empty or names a part twice")
    values = [_value_at(answer, pointer) for pointer in pointers]
    digested = values[0] if isinstance(covers, str) else values
    _need_digest(digested, receipt.get("result_sha256"), "the answer is not the one that was signed")
    return _uncovered(answer, [*pointers, *(f"/{name}" for name in _REPEATED_IN_ANSWER)])


def _value_at(answer: Any, pointer: str) -> Any:
    at = answer
    for escaped in pointer[1:].split("/"):
        name = escaped.replace("~1", "/").replace("~0", "~")
        if not isinstance(at, dict) or name not in at:
            _refuse(f"the answer lacks {pointer}, which the receipt covers")
        at = at[name]
    return at


def _uncovered(value: Dict[str, Any], covered: List[str], at: str = "") -> List[str]:
    """The parts of an answer that nobody signed."""
    found = []
    for name, inner in value.items():
        here = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
        if here in covered or here == "/receipt":
            continue
        is_in_part = any(pointer.startswith(f"{here}/") for pointer in covered)
        found += _uncovered(inner, covered, here) if is_in_part and isinstance(inner, dict) else [here]
    return found


def _need_sandbox(signed: Dict[str, Any], sandbox: bool) -> None:
    is_sandbox = signed.get("sandbox")
    _need(isinstance(is_sandbox, bool), "the receipt does not say whether it is of a sandbox")
    detail = "the receipt is of a sandbox" if is_sandbox else "the receipt is not of a sandbox"
    _need(is_sandbox is sandbox, detail)


# ---- Generated from the operation table by node scripts/generate-docs.ts ----
# fmt: off

_ROUTES: Dict[str, Dict[str, Any]] = {
    "look": {"method": "get", "path": "/v1/look"},
    "watch": {"method": "get", "path": "/v1/watch", "headers": {"last_event_id": "last-event-id"}},
    "board": {"method": "get", "path": "/board"},
    "board_key": {"method": "get", "path": "/board/{key}", "rest": True},
    "claim": {"method": "post", "path": "/v1/claim", "headers": {"token": "x-crossing-token"}, "writes": True},
    "release": {"method": "post", "path": "/v1/release", "headers": {"token": "x-crossing-token"}, "writes": True},
    "bounties": {"method": "get", "path": "/v1/bounties"},
    "brief": {"method": "post", "path": "/v1/brief", "headers": {"token": "x-crossing-token", "accept_language": "accept-language"}, "writes": True},
    "open_brief": {"method": "get", "path": "/v1/brief/{brief}", "headers": {"accept_language": "accept-language"}},
    "brief_check": {"method": "post", "path": "/v1/brief/check", "headers": {"accept_language": "accept-language"}},
    "brief_lint": {"method": "post", "path": "/v1/brief/lint", "headers": {"accept_language": "accept-language"}},
    "mark": {"method": "post", "path": "/v1/mark", "headers": {"token": "x-crossing-token"}, "writes": True},
    "fence": {"method": "get", "path": "/v1/fence"},
    "counterparty_check": {"method": "get", "path": "/v1/counterparty-check", "paid": True},
    "sanctions_screen": {"method": "get", "path": "/v1/sanctions-screen", "paid": True},
    "sanctions_quality": {"method": "get", "path": "/v1/sanctions/quality"},
    "nl_vehicle_check": {"method": "get", "path": "/v1/nl-vehicle-check", "paid": True},
    "eu_vat_check": {"method": "get", "path": "/v1/eu-vat-check", "paid": True},
    "uk_company_check": {"method": "get", "path": "/v1/uk-company-check", "paid": True},
    "uk_vehicle_mot_check": {"method": "get", "path": "/v1/uk-vehicle-mot-check", "paid": True},
    "agent_budget_audit": {"method": "get", "path": "/v1/agent-budget-audit", "paid": True},
    "spend_fuse": {"method": "get", "path": "/v1/spend-fuse", "paid": True},
    "agent_coordination_audit": {"method": "get", "path": "/v1/agent-coordination-audit", "paid": True},
    "check": {"method": "get", "path": "/v1/check"},
    "budget_preview": {"method": "get", "path": "/v1/budget/preview"},
    "budget_protocol": {"method": "get", "path": "/v1/budget/protocol"},
    "coordination_preview": {"method": "get", "path": "/v1/coordination/preview"},
    "coordination_protocol": {"method": "get", "path": "/v1/coordination/protocol"},
    "payment_status": {"method": "get", "path": "/v1/payments/{nonce}", "headers": {"idempotency_key": "idempotency-key", "payment_signature": "payment-signature"}},
    "receipt_verify": {"method": "post", "path": "/v1/receipts/verify"},
    "attest_seal": {"method": "post", "path": "/api/attest/seal", "headers": {"idempotency_key": "idempotency-key", "prefer": "prefer", "agent_key": "x-agent-key"}, "keyField": "idempotency_key", "writes": True},
    "attest_erase": {"method": "post", "path": "/api/attest/erase", "writes": True},
    "attest_verify": {"method": "get", "path": "/api/attest/verify/{attestation_id}"},
    "attest_verify_bundle": {"method": "post", "path": "/api/attest/verify"},
    "attest_lookup": {"method": "get", "path": "/api/attest/lookup"},
    "attest_ledger": {"method": "get", "path": "/api/attest/ledger"},
    "attest_stream": {"method": "get", "path": "/api/attest/stream", "headers": {"last_event_id": "last-event-id"}, "answer": "stream"},
    "log_head": {"method": "get", "path": "/api/astralock/sth"},
    "log_audit": {"method": "get", "path": "/api/astralock/audit"},
    "attest_schemas": {"method": "get", "path": "/api/attest/schemas"},
    "log_checkpoint": {"method": "get", "path": "/astralock/checkpoint", "answer": "text"},
    "log_witnessed_checkpoint": {"method": "get", "path": "/astralock/checkpoint.witnessed", "answer": "text"},
    "log_tile": {"method": "get", "path": "/astralock/tile/{tile}", "rest": True, "answer": "bytes"},
    "attest_receipt": {"method": "get", "path": "/api/attest/receipt/{attestation_id}", "answer": "bytes"},
    "log_consistency": {"method": "get", "path": "/api/astralock/consistency", "answer": "bytes"},
    "scitt_keys": {"method": "get", "path": "/.well-known/scitt-keys", "answer": "bytes"},
    "scitt_key": {"method": "get", "path": "/.well-known/scitt-keys/{kid}", "answer": "bytes"},
    "log_explorer": {"method": "get", "path": "/log"},
    "log_heads": {"method": "get", "path": "/log/heads"},
    "log_entry": {"method": "get", "path": "/log/{ref}"},
    "verify_page": {"method": "get", "path": "/verify"},
    "amh_register": {"method": "post", "path": "/api/amh/register", "writes": True},
    "amh_mandate": {"method": "post", "path": "/api/amh/mandate", "headers": {"idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "amh_verify": {"method": "post", "path": "/api/amh/verify", "headers": {"api_key": "x-amh-key", "idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "amh_seal": {"method": "post", "path": "/api/amh/seal", "headers": {"api_key": "x-amh-key"}, "writes": True},
    "amh_status": {"method": "get", "path": "/api/amh/status/{verify_ref}", "headers": {"api_key": "x-amh-key"}},
    "amh_mandate_view": {"method": "get", "path": "/api/amh/mandate/{mandate_id}", "headers": {"control_token": "x-amh-control", "api_key": "x-amh-key"}},
    "amh_mandate_revoke": {"method": "post", "path": "/api/amh/mandate/{mandate_id}/revoke", "headers": {"control_token": "x-amh-control"}, "writes": True},
    "amh_mandate_narrow": {"method": "post", "path": "/api/amh/mandate/{mandate_id}/narrow", "headers": {"control_token": "x-amh-control"}, "writes": True},
    "amh_mandate_void": {"method": "post", "path": "/api/amh/mandate/{mandate_id}/void", "headers": {"control_token": "x-amh-control"}, "writes": True},
    "amh_mandate_approve": {"method": "post", "path": "/api/amh/mandate/{mandate_id}/approve", "headers": {"control_token": "x-amh-control"}, "writes": True},
    "amh_key_create": {"method": "post", "path": "/api/amh/keys", "headers": {"api_key": "x-amh-key"}, "writes": True},
    "amh_key_revoke": {"method": "post", "path": "/api/amh/keys/{key_id}/revoke", "headers": {"api_key": "x-amh-key"}, "writes": True},
    "do": {"method": "post", "path": "/do", "headers": {"agent_key": "x-agent-key"}, "keyField": "idempotency_key", "writes": True},
    "create_task": {"method": "post", "path": "/api/tasks", "headers": {"agent_key": "x-agent-key"}, "keyField": "idempotency_key", "writes": True},
    "check_task": {"method": "get", "path": "/api/tasks/{ref}", "headers": {"receipt_key": "x-receipt-key", "agent_key": "x-agent-key"}},
    "get_evidence": {"method": "get", "path": "/api/tasks/{task_id}/evidence"},
    "answer_task": {"method": "post", "path": "/api/tasks/{task_id}/input", "headers": {"receipt_key": "x-receipt-key", "agent_key": "x-agent-key"}, "writes": True},
    "accept_quote": {"method": "post", "path": "/api/tasks/{task_id}/accept", "headers": {"receipt_key": "x-receipt-key", "agent_key": "x-agent-key"}, "writes": True},
    "cancel_task": {"method": "post", "path": "/api/tasks/{task_id}/cancel", "headers": {"receipt_key": "x-receipt-key", "agent_key": "x-agent-key"}, "writes": True},
    "task_page": {"method": "get", "path": "/tasks/{receipt_id}"},
    "open_task_page": {"method": "post", "path": "/tasks/{receipt_id}"},
    "exit": {"method": "post", "path": "/exit", "headers": {"agent_key": "x-agent-key"}, "writes": True},
    "bom_calculate": {"method": "post", "path": "/api/v1/calculate", "headers": {"agent_key": "x-agent-key", "idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "get_calculation": {"method": "get", "path": "/api/v1/calculations/{calculation_id}", "headers": {"agent_key": "x-agent-key"}},
    "create_order": {"method": "post", "path": "/api/v1/orders", "headers": {"agent_key": "x-agent-key", "header_key": "idempotency-key"}, "keyField": "header_key", "writes": True},
    "list_orders": {"method": "get", "path": "/api/v1/orders", "headers": {"agent_key": "x-agent-key"}},
    "get_order": {"method": "get", "path": "/api/v1/orders/{order_id}", "headers": {"agent_key": "x-agent-key"}},
    "place_order": {"method": "post", "path": "/api/v1/orders/{order_id}/place", "headers": {"agent_key": "x-agent-key", "idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "cancel_order": {"method": "post", "path": "/api/v1/orders/{order_id}/cancel", "headers": {"agent_key": "x-agent-key", "idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "register_agent": {"method": "post", "path": "/api/agents/register", "headers": {"idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "get_agent": {"method": "get", "path": "/api/agents/me", "headers": {"agent_key": "x-agent-key"}},
    "rotate_key": {"method": "post", "path": "/api/agents/keys", "headers": {"agent_key": "x-agent-key", "idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "revoke_key": {"method": "post", "path": "/api/agents/keys/{key_id}/revoke", "headers": {"agent_key": "x-agent-key"}, "writes": True},
    "get_wallet": {"method": "get", "path": "/api/agents/wallet", "headers": {"agent_key": "x-agent-key"}},
    "get_wallet_ledger": {"method": "get", "path": "/api/agents/wallet/ledger", "headers": {"agent_key": "x-agent-key"}},
    "topup_wallet": {"method": "post", "path": "/api/agents/wallet/topup", "headers": {"agent_key": "x-agent-key", "idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "get_topup": {"method": "get", "path": "/api/agents/wallet/topup/{topup_id}", "headers": {"agent_key": "x-agent-key"}},
    "topup_return": {"method": "get", "path": "/wallet/topups/{topup_id}"},
    "stripe_webhook": {"method": "post", "path": "/api/webhooks/stripe", "headers": {"signature": "stripe-signature"}, "writes": True},
    "request_login_link": {"method": "post", "path": "/api/cabinet/request-link", "writes": True},
    "cabinet_login_page": {"method": "get", "path": "/cabinet/login"},
    "cabinet_login": {"method": "post", "path": "/cabinet/login", "writes": True},
    "start_page": {"method": "get", "path": "/start"},
    "start": {"method": "post", "path": "/start", "keyField": "idempotency_key", "writes": True},
    "start_call": {"method": "post", "path": "/start/call", "writes": True},
    "start_topup": {"method": "post", "path": "/start/topup", "writes": True},
    "cabinet_overview": {"method": "get", "path": "/cabinet"},
    "cabinet_agent": {"method": "post", "path": "/cabinet/agents", "writes": True},
    "cabinet_ledger": {"method": "get", "path": "/cabinet/ledger"},
    "cabinet_spend": {"method": "get", "path": "/cabinet/spend"},
    "cabinet_topups": {"method": "get", "path": "/cabinet/topup"},
    "cabinet_topup": {"method": "post", "path": "/cabinet/topup", "writes": True},
    "cabinet_tasks": {"method": "get", "path": "/cabinet/tasks"},
    "cabinet_task_cancel": {"method": "post", "path": "/cabinet/tasks", "writes": True},
    "cabinet_task_answer": {"method": "post", "path": "/cabinet/tasks/answer", "writes": True},
    "cabinet_task_accept": {"method": "post", "path": "/cabinet/tasks/accept", "writes": True},
    "cabinet_orders": {"method": "get", "path": "/cabinet/orders"},
    "cabinet_order_cancel": {"method": "post", "path": "/cabinet/orders", "writes": True},
    "cabinet_calls": {"method": "get", "path": "/cabinet/calls"},
    "cabinet_mandates": {"method": "get", "path": "/cabinet/mandates"},
    "cabinet_mandate_open": {"method": "post", "path": "/cabinet/mandates", "writes": True},
    "cabinet_keys": {"method": "get", "path": "/cabinet/keys"},
    "cabinet_key": {"method": "post", "path": "/cabinet/keys", "writes": True},
    "cabinet_agent_new": {"method": "post", "path": "/cabinet/keys/agent", "writes": True},
    "cabinet_sessions": {"method": "get", "path": "/cabinet/sessions"},
    "cabinet_session_end": {"method": "post", "path": "/cabinet/sessions", "writes": True},
    "cabinet_account": {"method": "get", "path": "/cabinet/account"},
    "cabinet_account_delete": {"method": "post", "path": "/cabinet/account", "writes": True},
    "cabinet_export": {"method": "get", "path": "/cabinet/export"},
    "sandbox_checkout": {"method": "get", "path": "/sandbox/checkout/{session_id}"},
    "sandbox_checkout_act": {"method": "post", "path": "/sandbox/checkout/{session_id}/{action}"},
    "sandbox_outbox": {"method": "get", "path": "/sandbox/outbox"},
    "capabilities_manifest": {"method": "get", "path": "/capabilities/manifest"},
    "execute_capability": {"method": "post", "path": "/capabilities/execute", "headers": {"agent_key": "x-agent-key", "idempotency_key": "idempotency-key"}, "keyField": "idempotency_key", "writes": True},
    "get_execution": {"method": "get", "path": "/capabilities/executions/{execution_id}", "headers": {"agent_key": "x-agent-key"}},
    "data_summary": {"method": "get", "path": "/api/data/summary"},
    "data_permits": {"method": "get", "path": "/api/data/permits"},
    "data_leadtimes": {"method": "get", "path": "/api/data/leadtimes"},
    "data_tenders": {"method": "get", "path": "/api/data/tenders"},
    "data_laws": {"method": "get", "path": "/api/data/laws"},
    "data_economy": {"method": "get", "path": "/api/data/economy"},
    "data_zones": {"method": "get", "path": "/api/data/zones"},
    "data_natura": {"method": "get", "path": "/api/data/natura"},
    "data_events": {"method": "get", "path": "/api/data/events"},
    "data_sources": {"method": "get", "path": "/api/data/sources"},
    "data_component": {"method": "get", "path": "/api/data/components/{mpn}"},
    "data_search": {"method": "get", "path": "/api/data/search"},
    "data_document": {"method": "get", "path": "/api/data/documents"},
    "data_ask": {"method": "get", "path": "/api/data/ask"},
    "playground": {"method": "get", "path": "/playground"},
    "playground_run": {"method": "post", "path": "/playground", "writes": True},
    "playground_pay": {"method": "post", "path": "/playground/pay", "writes": True},
    "sandbox_faucet": {"method": "post", "path": "/sandbox/faucet", "writes": True},
    "sandbox_balance": {"method": "get", "path": "/sandbox/balance/{address}"},
    "health": {"method": "get", "path": "/api/v1/health"},
    "system_status": {"method": "get", "path": "/system/status"},
    "service_keys": {"method": "get", "path": "/.well-known/avouch-keys.json"},
    "did_document": {"method": "get", "path": "/.well-known/did.json"},
    "x402_discovery": {"method": "get", "path": "/.well-known/x402"},
    "mcp_tools": {"method": "get", "path": "/mcp/tools.json"},
    "connect": {"method": "get", "path": "/connect"},
    "openapi": {"method": "get", "path": "/openapi.json"},
    "problem_type": {"method": "get", "path": "/problems/{code}"},
    "entry": {"method": "get", "path": "/entry"},
    "entry_full": {"method": "get", "path": "/entry/full"},
    "onboarding": {"method": "get", "path": "/agent-discovery/onboarding"},
    "coordination_manifest": {"method": "get", "path": "/coordination/manifest"},
    "economy_manifest": {"method": "get", "path": "/economy/manifest"},
    "strategy_pillars": {"method": "get", "path": "/api/strategy/pillars"},
    "usage_rules": {"method": "get", "path": "/api/rules-of-engagement"},
    "llms": {"method": "get", "path": "/llms.txt", "answer": "text"},
    "llms_full": {"method": "get", "path": "/llms-full.txt", "answer": "text"},
    "ai_plugin": {"method": "get", "path": "/.well-known/ai-plugin.json"},
    "ai_catalog": {"method": "get", "path": "/.well-known/ai-catalog.json"},
    "mcp_server_card": {"method": "get", "path": "/mcp/streamable/server-card"},
    "mcp_server_card_well_known": {"method": "get", "path": "/.well-known/mcp/server-card.json"},
    "mcp_registry_auth": {"method": "get", "path": "/.well-known/mcp-registry-auth", "answer": "text"},
    "robots": {"method": "get", "path": "/robots.txt", "answer": "text"},
    "logo": {"method": "get", "path": "/logo.svg", "answer": "text"},
    "verify_file": {"method": "get", "path": "/verify/{file}", "answer": "text"},
    "home": {"method": "get", "path": "/"},
    "demo_race": {"method": "post", "path": "/demo/race", "writes": True},
    "product": {"method": "get", "path": "/product/{product}"},
    "pricing": {"method": "get", "path": "/pricing"},
    "protocols": {"method": "get", "path": "/protocols"},
    "protocol": {"method": "get", "path": "/protocols/{protocol}"},
    "docs": {"method": "get", "path": "/docs"},
    "docs_page": {"method": "get", "path": "/docs/{name}"},
    "api_reference": {"method": "get", "path": "/docs/api"},
    "api_operation": {"method": "get", "path": "/docs/api/{operation}"},
    "search_pages": {"method": "get", "path": "/search"},
    "design": {"method": "get", "path": "/design"},
    "page_asset": {"method": "get", "path": "/assets/{name}", "answer": "text"},
    "identity": {"method": "get", "path": "/v1/identity"},
    "signature_directory": {"method": "get", "path": "/.well-known/http-message-signatures-directory"},
}


class Avouch(_Caller):
    """Every operation of an Avouch service as a method. Fields are keyword arguments, answers are dicts."""

    def look(self, *, key: str, agent: str = OMIT, reward_usd: str = OMIT, effort_usd: str = OMIT, slots: int = OMIT,
            attempt: int = OMIT, probe: str = OMIT, p_success: str = OMIT) -> Answer:
        """Check a work key. GET /v1/look"""
        return self.call("look", {"key": key, "agent": agent, "reward_usd": reward_usd, "effort_usd": effort_usd,
                "slots": slots, "attempt": attempt, "probe": probe, "p_success": p_success})

    def watch(self, *, key: str, after: int = OMIT, last_event_id: int = OMIT, wait: int = OMIT) -> Answer:
        """Watch a work key. GET /v1/watch"""
        return self.call("watch", {"key": key, "after": after, "last_event_id": last_event_id, "wait": wait})

    def board(self, *, show: str = OMIT) -> Answer:
        """List active work keys. GET /board"""
        return self.call("board", {"show": show})

    def board_key(self, *, key: str) -> Answer:
        """Get the page of a work key. GET /board/{key}"""
        return self.call("board_key", {"key": key})

    def claim(self, *, key: Union[str, Sequence[Any]], agent: str, mode: str = OMIT, ttl: int = OMIT,
            intent: str = OMIT, hops: int = OMIT, slots: int = OMIT, brief: str = OMIT, lease: str = OMIT,
            token: str = OMIT, queue: str = OMIT, attempt: int = OMIT, evidence: str = OMIT, receipt: str = OMIT) -> Answer:
        """Take or renew a lease. POST /v1/claim"""
        return self.call("claim", {"key": key, "agent": agent, "mode": mode, "ttl": ttl, "intent": intent,
                "hops": hops, "slots": slots, "brief": brief, "lease": lease, "token": token, "queue": queue,
                "attempt": attempt, "evidence": evidence, "receipt": receipt})

    def release(self, *, lease: str, token: str, outcome: str = OMIT, note: str = OMIT, evidence: str = OMIT) -> Answer:
        """Release a lease. POST /v1/release"""
        return self.call("release", {"lease": lease, "token": token, "outcome": outcome, "note": note,
                "evidence": evidence})

    def bounties(self, *, max_on_it: int = OMIT, min_reward_usd: str = OMIT, repository_pays: str = OMIT,
            include_rewarded: str = OMIT, limit: int = OMIT) -> Answer:
        """List open bounties. GET /v1/bounties"""
        return self.call("bounties", {"max_on_it": max_on_it, "min_reward_usd": min_reward_usd,
                "repository_pays": repository_pays, "include_rewarded": include_rewarded, "limit": limit})

    def brief(self, *, goal: str = OMIT, acceptance: str = OMIT, target: str = OMIT, boundaries: str = OMIT,
            output: str = OMIT, inputs: str = OMIT, evaluator: str = OMIT, reward_usd: Union[str, float] = OMIT,
            expires_at: str = OMIT, if_unclear: str = OMIT, spend_cap_usd: Union[str, float] = OMIT,
            slots: int = OMIT, key: str = OMIT, brief: str = OMIT, token: str = OMIT, close: str = OMIT,
            accept_language: str = OMIT) -> Answer:
        """Create or change a brief. POST /v1/brief"""
        return self.call("brief", {"goal": goal, "acceptance": acceptance, "target": target, "boundaries": boundaries,
                "output": output, "inputs": inputs, "evaluator": evaluator, "reward_usd": reward_usd,
                "expires_at": expires_at, "if_unclear": if_unclear, "spend_cap_usd": spend_cap_usd, "slots": slots,
                "key": key, "brief": brief, "token": token, "close": close, "accept_language": accept_language})

    def open_brief(self, *, brief: str, accept_language: str = OMIT) -> Answer:
        """Get a brief. GET /v1/brief/{brief}"""
        return self.call("open_brief", {"brief": brief, "accept_language": accept_language})

    def brief_check(self, *, goal: str, acceptance: str = OMIT, target: str = OMIT, boundaries: str = OMIT,
            output: str = OMIT, inputs: str = OMIT, evaluator: str = OMIT, reward_usd: Union[str, float] = OMIT,
            expires_at: str = OMIT, if_unclear: str = OMIT, spend_cap_usd: Union[str, float] = OMIT,
            accept_language: str = OMIT) -> Answer:
        """Check a task card. POST /v1/brief/check"""
        return self.call("brief_check", {"goal": goal, "acceptance": acceptance, "target": target,
                "boundaries": boundaries, "output": output, "inputs": inputs, "evaluator": evaluator,
                "reward_usd": reward_usd, "expires_at": expires_at, "if_unclear": if_unclear,
                "spend_cap_usd": spend_cap_usd, "accept_language": accept_language})

    def brief_lint(self, *, text: str, accept_language: str = OMIT) -> Answer:
        """Lint a task text. POST /v1/brief/lint"""
        return self.call("brief_lint", {"text": text, "accept_language": accept_language})

    def mark(self, *, key: str, agent: str, kind: str, note: str = OMIT, evidence: str = OMIT, lease: str = OMIT,
            token: str = OMIT) -> Answer:
        """Leave a mark. POST /v1/mark"""
        return self.call("mark", {"key": key, "agent": agent, "kind": kind, "note": note, "evidence": evidence,
                "lease": lease, "token": token})

    def fence(self, *, key: str, fence: int) -> Answer:
        """Check a fencing token. GET /v1/fence"""
        return self.call("fence", {"key": key, "fence": fence})

    def counterparty_check(self, *, kvk_number: str = OMIT, vat_number: str = OMIT, company_name: str = OMIT,
            idempotency_key: str = OMIT) -> Answer:
        """Check a company. Paid. GET /v1/counterparty-check"""
        return self.call("counterparty_check", {"kvk_number": kvk_number, "vat_number": vat_number,
                "company_name": company_name, "idempotency_key": idempotency_key})

    def sanctions_screen(self, *, name: str, idempotency_key: str = OMIT) -> Answer:
        """Screen a name against the EU sanctions list. Paid. GET /v1/sanctions-screen"""
        return self.call("sanctions_screen", {"name": name, "idempotency_key": idempotency_key})

    def sanctions_quality(self) -> Answer:
        """Get the quality of sanctions screening. GET /v1/sanctions/quality"""
        return self.call("sanctions_quality", {})

    def nl_vehicle_check(self, *, kenteken: str, idempotency_key: str = OMIT) -> Answer:
        """Check a Dutch vehicle. Paid. GET /v1/nl-vehicle-check"""
        return self.call("nl_vehicle_check", {"kenteken": kenteken, "idempotency_key": idempotency_key})

    def eu_vat_check(self, *, vat_number: str, idempotency_key: str = OMIT) -> Answer:
        """Validate an EU VAT number. Paid. GET /v1/eu-vat-check"""
        return self.call("eu_vat_check", {"vat_number": vat_number, "idempotency_key": idempotency_key})

    def uk_company_check(self, *, company: str, idempotency_key: str = OMIT) -> Answer:
        """Check a UK company. Paid. GET /v1/uk-company-check"""
        return self.call("uk_company_check", {"company": company, "idempotency_key": idempotency_key})

    def uk_vehicle_mot_check(self, *, plate: str, idempotency_key: str = OMIT) -> Answer:
        """Get a UK vehicle's MOT history. Paid. GET /v1/uk-vehicle-mot-check"""
        return self.call("uk_vehicle_mot_check", {"plate": plate, "idempotency_key": idempotency_key})

    def agent_budget_audit(self, *, budget_period_usd: str, period_days: str = OMIT, per_action_cap_usd: str = OMIT,
            funds_reachable_usd: str = OMIT, max_burn_usd_per_hour: str = OMIT, detection_hours: str = OMIT,
            goal_value_usd: str = OMIT, p_success: str = OMIT, p_basis: str = OMIT, scope: str = OMIT,
            role: str = OMIT, agent: str = OMIT, hard_cap_outside_model: str = OMIT,
            per_action_cap_enforced: str = OMIT, aggregate_budget: str = OMIT, loop_breaker: str = OMIT,
            progress_stop_loss: str = OMIT, billing_path_known: str = OMIT, cost_per_run_measured: str = OMIT,
            alerts_cover_all_channels: str = OMIT, keys_scoped: str = OMIT, untrusted_input_gate: str = OMIT,
            counterparty_check: str = OMIT, idempotency: str = OMIT, delivery_binding: str = OMIT,
            ev_check: str = OMIT, irreversible_gate: str = OMIT, outcome_metric: str = OMIT,
            reconciliation: str = OMIT, system_of_record: str = OMIT, idempotency_key: str = OMIT) -> Answer:
        """Audit an agent's spending controls. Paid. GET /v1/agent-budget-audit"""
        return self.call("agent_budget_audit", {"budget_period_usd": budget_period_usd, "period_days": period_days,
                "per_action_cap_usd": per_action_cap_usd, "funds_reachable_usd": funds_reachable_usd,
                "max_burn_usd_per_hour": max_burn_usd_per_hour, "detection_hours": detection_hours,
                "goal_value_usd": goal_value_usd, "p_success": p_success, "p_basis": p_basis, "scope": scope,
                "role": role, "agent": agent, "hard_cap_outside_model": hard_cap_outside_model,
                "per_action_cap_enforced": per_action_cap_enforced, "aggregate_budget": aggregate_budget,
                "loop_breaker": loop_breaker, "progress_stop_loss": progress_stop_loss,
                "billing_path_known": billing_path_known, "cost_per_run_measured": cost_per_run_measured,
                "alerts_cover_all_channels": alerts_cover_all_channels, "keys_scoped": keys_scoped,
                "untrusted_input_gate": untrusted_input_gate, "counterparty_check": counterparty_check,
                "idempotency": idempotency, "delivery_binding": delivery_binding, "ev_check": ev_check,
                "irreversible_gate": irreversible_gate, "outcome_metric": outcome_metric,
                "reconciliation": reconciliation, "system_of_record": system_of_record,
                "idempotency_key": idempotency_key})

    def spend_fuse(self, *, amount_usd: str, instruction_source: str = OMIT, per_action_cap_usd: str = OMIT,
            period_budget_usd: str = OMIT, period_spent_usd: str = OMIT, agent: str = OMIT, intent_id: str = OMIT,
            intent_settled_before: str = OMIT, counterparty_verified: str = OMIT, reference_price_usd: str = OMIT,
            p_success: str = OMIT, p_basis: str = OMIT, value_usd: str = OMIT, effort_cost_usd: str = OMIT,
            cumulative_cost_usd: str = OMIT, attempts_without_progress: str = OMIT, reversible: str = OMIT,
            approved_out_of_band: str = OMIT, delivery: str = OMIT, probe_amount_usd: str = OMIT,
            idempotency_key: str = OMIT) -> Answer:
        """Run ten signed checks before a spend. Paid. GET /v1/spend-fuse"""
        return self.call("spend_fuse", {"amount_usd": amount_usd, "instruction_source": instruction_source,
                "per_action_cap_usd": per_action_cap_usd, "period_budget_usd": period_budget_usd,
                "period_spent_usd": period_spent_usd, "agent": agent, "intent_id": intent_id,
                "intent_settled_before": intent_settled_before, "counterparty_verified": counterparty_verified,
                "reference_price_usd": reference_price_usd, "p_success": p_success, "p_basis": p_basis,
                "value_usd": value_usd, "effort_cost_usd": effort_cost_usd,
                "cumulative_cost_usd": cumulative_cost_usd, "attempts_without_progress": attempts_without_progress,
                "reversible": reversible, "approved_out_of_band": approved_out_of_band, "delivery": delivery,
                "probe_amount_usd": probe_amount_usd, "idempotency_key": idempotency_key})

    def agent_coordination_audit(self, *, scope: str = OMIT, system: str = OMIT, agents: str = OMIT,
            claim_before_work: str = OMIT, leases_expire: str = OMIT, idempotent_side_effects: str = OMIT,
            stop_condition: str = OMIT, independent_verification: str = OMIT, structured_handoff: str = OMIT,
            hop_limit: str = OMIT, parallelise_gate: str = OMIT, context_budget: str = OMIT,
            backoff_and_admission: str = OMIT, fresh_state_before_write: str = OMIT, receipts: str = OMIT,
            counterparty_and_venue_check: str = OMIT, shared_experience: str = OMIT, policy_not_prompts: str = OMIT,
            variance_measured: str = OMIT, idempotency_key: str = OMIT) -> Answer:
        """Audit agent coordination. Paid. GET /v1/agent-coordination-audit"""
        return self.call("agent_coordination_audit", {"scope": scope, "system": system, "agents": agents,
                "claim_before_work": claim_before_work, "leases_expire": leases_expire,
                "idempotent_side_effects": idempotent_side_effects, "stop_condition": stop_condition,
                "independent_verification": independent_verification, "structured_handoff": structured_handoff,
                "hop_limit": hop_limit, "parallelise_gate": parallelise_gate, "context_budget": context_budget,
                "backoff_and_admission": backoff_and_admission, "fresh_state_before_write": fresh_state_before_write,
                "receipts": receipts, "counterparty_and_venue_check": counterparty_and_venue_check,
                "shared_experience": shared_experience, "policy_not_prompts": policy_not_prompts,
                "variance_measured": variance_measured, "idempotency_key": idempotency_key})

    def check(self, *, amount_usd: str, instruction_source: str = OMIT, per_action_cap_usd: str = OMIT,
            period_budget_usd: str = OMIT, period_spent_usd: str = OMIT, agent: str = OMIT, intent_id: str = OMIT,
            intent_settled_before: str = OMIT, counterparty_verified: str = OMIT, reference_price_usd: str = OMIT,
            p_success: str = OMIT, p_basis: str = OMIT, value_usd: str = OMIT, effort_cost_usd: str = OMIT,
            cumulative_cost_usd: str = OMIT, attempts_without_progress: str = OMIT, reversible: str = OMIT,
            approved_out_of_band: str = OMIT, delivery: str = OMIT, probe_amount_usd: str = OMIT) -> Answer:
        """Run ten checks before a spend. GET /v1/check"""
        return self.call("check", {"amount_usd": amount_usd, "instruction_source": instruction_source,
                "per_action_cap_usd": per_action_cap_usd, "period_budget_usd": period_budget_usd,
                "period_spent_usd": period_spent_usd, "agent": agent, "intent_id": intent_id,
                "intent_settled_before": intent_settled_before, "counterparty_verified": counterparty_verified,
                "reference_price_usd": reference_price_usd, "p_success": p_success, "p_basis": p_basis,
                "value_usd": value_usd, "effort_cost_usd": effort_cost_usd,
                "cumulative_cost_usd": cumulative_cost_usd, "attempts_without_progress": attempts_without_progress,
                "reversible": reversible, "approved_out_of_band": approved_out_of_band, "delivery": delivery,
                "probe_amount_usd": probe_amount_usd})

    def budget_preview(self, *, budget_period_usd: str = OMIT, period_days: str = OMIT,
            per_action_cap_usd: str = OMIT, funds_reachable_usd: str = OMIT, max_burn_usd_per_hour: str = OMIT,
            detection_hours: str = OMIT, goal_value_usd: str = OMIT, p_success: str = OMIT, p_basis: str = OMIT,
            scope: str = OMIT, role: str = OMIT, agent: str = OMIT, hard_cap_outside_model: str = OMIT,
            per_action_cap_enforced: str = OMIT, aggregate_budget: str = OMIT, loop_breaker: str = OMIT,
            progress_stop_loss: str = OMIT, billing_path_known: str = OMIT, cost_per_run_measured: str = OMIT,
            alerts_cover_all_channels: str = OMIT, keys_scoped: str = OMIT, untrusted_input_gate: str = OMIT,
            counterparty_check: str = OMIT, idempotency: str = OMIT, delivery_binding: str = OMIT,
            ev_check: str = OMIT, irreversible_gate: str = OMIT, outcome_metric: str = OMIT,
            reconciliation: str = OMIT, system_of_record: str = OMIT) -> Answer:
        """Preview the budget audit. GET /v1/budget/preview"""
        return self.call("budget_preview", {"budget_period_usd": budget_period_usd, "period_days": period_days,
                "per_action_cap_usd": per_action_cap_usd, "funds_reachable_usd": funds_reachable_usd,
                "max_burn_usd_per_hour": max_burn_usd_per_hour, "detection_hours": detection_hours,
                "goal_value_usd": goal_value_usd, "p_success": p_success, "p_basis": p_basis, "scope": scope,
                "role": role, "agent": agent, "hard_cap_outside_model": hard_cap_outside_model,
                "per_action_cap_enforced": per_action_cap_enforced, "aggregate_budget": aggregate_budget,
                "loop_breaker": loop_breaker, "progress_stop_loss": progress_stop_loss,
                "billing_path_known": billing_path_known, "cost_per_run_measured": cost_per_run_measured,
                "alerts_cover_all_channels": alerts_cover_all_channels, "keys_scoped": keys_scoped,
                "untrusted_input_gate": untrusted_input_gate, "counterparty_check": counterparty_check,
                "idempotency": idempotency, "delivery_binding": delivery_binding, "ev_check": ev_check,
                "irreversible_gate": irreversible_gate, "outcome_metric": outcome_metric,
                "reconciliation": reconciliation, "system_of_record": system_of_record})

    def budget_protocol(self) -> Answer:
        """Get the method of the budget audit. GET /v1/budget/protocol"""
        return self.call("budget_protocol", {})

    def coordination_preview(self, *, scope: str = OMIT, system: str = OMIT, agents: str = OMIT,
            claim_before_work: str = OMIT, leases_expire: str = OMIT, idempotent_side_effects: str = OMIT,
            stop_condition: str = OMIT, independent_verification: str = OMIT, structured_handoff: str = OMIT,
            hop_limit: str = OMIT, parallelise_gate: str = OMIT, context_budget: str = OMIT,
            backoff_and_admission: str = OMIT, fresh_state_before_write: str = OMIT, receipts: str = OMIT,
            counterparty_and_venue_check: str = OMIT, shared_experience: str = OMIT, policy_not_prompts: str = OMIT,
            variance_measured: str = OMIT) -> Answer:
        """Preview the coordination audit. GET /v1/coordination/preview"""
        return self.call("coordination_preview", {"scope": scope, "system": system, "agents": agents,
                "claim_before_work": claim_before_work, "leases_expire": leases_expire,
                "idempotent_side_effects": idempotent_side_effects, "stop_condition": stop_condition,
                "independent_verification": independent_verification, "structured_handoff": structured_handoff,
                "hop_limit": hop_limit, "parallelise_gate": parallelise_gate, "context_budget": context_budget,
                "backoff_and_admission": backoff_and_admission, "fresh_state_before_write": fresh_state_before_write,
                "receipts": receipts, "counterparty_and_venue_check": counterparty_and_venue_check,
                "shared_experience": shared_experience, "policy_not_prompts": policy_not_prompts,
                "variance_measured": variance_measured})

    def coordination_protocol(self) -> Answer:
        """Get the method of the coordination audit. GET /v1/coordination/protocol"""
        return self.call("coordination_protocol", {})

    def payment_status(self, *, nonce: str, payer: str = OMIT, idempotency_key: str = OMIT,
            payment_signature: str = OMIT) -> Answer:
        """Get a payment. GET /v1/payments/{nonce}"""
        return self.call("payment_status", {"nonce": nonce, "payer": payer, "idempotency_key": idempotency_key,
                "payment_signature": payment_signature})

    def receipt_verify(self, *, answer: Mapping[str, Any] = OMIT, receipt: Mapping[str, Any] = OMIT,
            result: Mapping[str, Any] = OMIT, request: Mapping[str, Any] = OMIT) -> Answer:
        """Verify a receipt. POST /v1/receipts/verify"""
        return self.call("receipt_verify", {"answer": answer, "receipt": receipt, "result": result, "request": request})

    def attest_seal(self, *, schema_id: str, claim: Mapping[str, Any], disclosure: str = OMIT, index: bool = OMIT,
            idempotency_key: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Seal a claim. POST /api/attest/seal"""
        return self.call("attest_seal", {"schema_id": schema_id, "claim": claim, "disclosure": disclosure,
                "index": index, "idempotency_key": idempotency_key, "agent_key": agent_key})

    def attest_erase(self, *, attestation_id: str, disclosure_seed: str) -> Answer:
        """Erase a sealed claim. POST /api/attest/erase"""
        return self.call("attest_erase", {"attestation_id": attestation_id, "disclosure_seed": disclosure_seed})

    def attest_verify(self, *, attestation_id: str) -> Answer:
        """Verify a seal, a mark or a release. GET /api/attest/verify/{attestation_id}"""
        return self.call("attest_verify", {"attestation_id": attestation_id})

    def attest_verify_bundle(self, *, proof: str, entry: str = OMIT, attestation_id: str = OMIT,
            claim: Mapping[str, Any] = OMIT, seed: str = OMIT, disclosed: Mapping[str, Any] = OMIT,
            commitments: Mapping[str, Any] = OMIT, policy: str = OMIT) -> Answer:
        """Verify a proof you supply. POST /api/attest/verify"""
        return self.call("attest_verify_bundle", {"proof": proof, "entry": entry, "attestation_id": attestation_id,
                "claim": claim, "seed": seed, "disclosed": disclosed, "commitments": commitments, "policy": policy})

    def attest_lookup(self, *, sha256: str) -> Answer:
        """Find seals by SHA-256. GET /api/attest/lookup"""
        return self.call("attest_lookup", {"sha256": sha256})

    def attest_ledger(self, *, from_seq: int = OMIT, limit: int = OMIT, tree_size: int = OMIT) -> Answer:
        """Export the log. GET /api/attest/ledger"""
        return self.call("attest_ledger", {"from_seq": from_seq, "limit": limit, "tree_size": tree_size})

    def attest_stream(self, *, from_seq: int = OMIT, last_event_id: int = OMIT) -> Iterator[bytes]:
        """Stream log entries. GET /api/attest/stream"""
        return self.call("attest_stream", {"from_seq": from_seq, "last_event_id": last_event_id})

    def log_head(self, *, first: int = OMIT) -> Answer:
        """Get the signed tree head. GET /api/astralock/sth"""
        return self.call("log_head", {"first": first})

    def log_audit(self, *, from_: int = OMIT, to: int = OMIT) -> Answer:
        """Audit the log. GET /api/astralock/audit"""
        return self.call("log_audit", {"from": from_, "to": to})

    def attest_schemas(self, *, digest: str = OMIT) -> Answer:
        """List the seal schemas. GET /api/attest/schemas"""
        return self.call("attest_schemas", {"digest": digest})

    def log_checkpoint(self) -> str:
        """Get the newest checkpoint. GET /astralock/checkpoint"""
        return self.call("log_checkpoint", {})

    def log_witnessed_checkpoint(self) -> str:
        """Get the newest witnessed checkpoint. GET /astralock/checkpoint.witnessed"""
        return self.call("log_witnessed_checkpoint", {})

    def log_tile(self, *, tile: str) -> bytes:
        """Get a tile of the log. GET /astralock/tile/{tile}"""
        return self.call("log_tile", {"tile": tile})

    def attest_receipt(self, *, attestation_id: str) -> bytes:
        """Get a COSE receipt of an entry. GET /api/attest/receipt/{attestation_id}"""
        return self.call("attest_receipt", {"attestation_id": attestation_id})

    def log_consistency(self, *, first: int, second: int = OMIT) -> bytes:
        """Get a COSE receipt that the log only grew. GET /api/astralock/consistency"""
        return self.call("log_consistency", {"first": first, "second": second})

    def scitt_keys(self) -> bytes:
        """Get the keys of COSE receipts. GET /.well-known/scitt-keys"""
        return self.call("scitt_keys", {})

    def scitt_key(self, *, kid: str) -> bytes:
        """Get one key of COSE receipts. GET /.well-known/scitt-keys/{kid}"""
        return self.call("scitt_key", {"kid": kid})

    def log_explorer(self, *, q: str = OMIT, before: int = OMIT, kind: str = OMIT, verdict: str = OMIT,
            from_: str = OMIT, to: str = OMIT) -> Answer:
        """Search the log. GET /log"""
        return self.call("log_explorer", {"q": q, "before": before, "kind": kind, "verdict": verdict, "from": from_,
                "to": to})

    def log_heads(self, *, older: int = OMIT, newer: int = OMIT) -> Answer:
        """Compare two checkpoints. GET /log/heads"""
        return self.call("log_heads", {"older": older, "newer": newer})

    def log_entry(self, *, ref: str) -> Answer:
        """Get a log entry with its proof. GET /log/{ref}"""
        return self.call("log_entry", {"ref": ref})

    def verify_page(self, *, example: str = OMIT) -> Answer:
        """Verify a file in the browser. GET /verify"""
        return self.call("verify_page", {"example": example})

    def amh_register(self, *, name: str, mcp_url: str, contact: str) -> Answer:
        """Register a platform. POST /api/amh/register"""
        return self.call("amh_register", {"name": name, "mcp_url": mcp_url, "contact": contact})

    def amh_mandate(self, *, agent_id: str, principal: Union[str, Mapping[str, Any]] = OMIT,
            max_commit_cents: int = OMIT, valid_until: str = OMIT, currency: str = OMIT,
            per_action_cap_cents: int = OMIT, period: Mapping[str, Any] = OMIT, max_actions: int = OMIT,
            actions: Sequence[Any] = OMIT, custom_actions: Sequence[Any] = OMIT, platforms: Sequence[Any] = OMIT,
            counterparties: Sequence[Any] = OMIT, valid_from: str = OMIT, approval: Mapping[str, Any] = OMIT,
            purpose_sha256: str = OMIT, disclose_remaining: bool = OMIT, agent_pubkey: str = OMIT, nonce: str = OMIT,
            principal_pubkey: str = OMIT, principal_signature: str = OMIT, ap2: Mapping[str, Any] = OMIT,
            idempotency_key: str = OMIT) -> Answer:
        """Create a mandate. POST /api/amh/mandate"""
        return self.call("amh_mandate", {"agent_id": agent_id, "principal": principal,
                "max_commit_cents": max_commit_cents, "valid_until": valid_until, "currency": currency,
                "per_action_cap_cents": per_action_cap_cents, "period": period, "max_actions": max_actions,
                "actions": actions, "custom_actions": custom_actions, "platforms": platforms,
                "counterparties": counterparties, "valid_from": valid_from, "approval": approval,
                "purpose_sha256": purpose_sha256, "disclose_remaining": disclose_remaining,
                "agent_pubkey": agent_pubkey, "nonce": nonce, "principal_pubkey": principal_pubkey,
                "principal_signature": principal_signature, "ap2": ap2, "idempotency_key": idempotency_key})

    def amh_verify(self, *, api_key: str = OMIT, mandate_id: str, action: str, custom_action: Union[str, None] = OMIT,
            amount_cents: int, currency: str, payload_hash: str, counterparty: Union[str, None] = OMIT,
            approval_ref: Union[str, None] = OMIT, agent_signature: Union[str, None] = OMIT,
            ap2: Union[Mapping[str, Any], None] = OMIT, min_assurance: str = OMIT, hold_seconds: int = OMIT,
            request_id: str = OMIT, idempotency_key: str = OMIT) -> Answer:
        """Verify an action and reserve the amount. POST /api/amh/verify"""
        return self.call("amh_verify", {"api_key": api_key, "mandate_id": mandate_id, "action": action,
                "custom_action": custom_action, "amount_cents": amount_cents, "currency": currency,
                "payload_hash": payload_hash, "counterparty": counterparty, "approval_ref": approval_ref,
                "agent_signature": agent_signature, "ap2": ap2, "min_assurance": min_assurance,
                "hold_seconds": hold_seconds, "request_id": request_id, "idempotency_key": idempotency_key})

    def amh_seal(self, *, api_key: str = OMIT, verify_ref: str, outcome: str, external_ref: Union[str, None] = OMIT,
            settlement_ref: Union[str, None] = OMIT, evidence: Union[str, Sequence[Any], None] = OMIT,
            final_amount_cents: Union[int, None] = OMIT, payload_hash: Union[str, None] = OMIT) -> Answer:
        """Seal an outcome. POST /api/amh/seal"""
        return self.call("amh_seal", {"api_key": api_key, "verify_ref": verify_ref, "outcome": outcome,
                "external_ref": external_ref, "settlement_ref": settlement_ref, "evidence": evidence,
                "final_amount_cents": final_amount_cents, "payload_hash": payload_hash})

    def amh_status(self, *, verify_ref: str, api_key: str = OMIT) -> Answer:
        """Get a verification. GET /api/amh/status/{verify_ref}"""
        return self.call("amh_status", {"verify_ref": verify_ref, "api_key": api_key})

    def amh_mandate_view(self, *, mandate_id: str, control_token: str = OMIT, api_key: str = OMIT) -> Answer:
        """Get a mandate. GET /api/amh/mandate/{mandate_id}"""
        return self.call("amh_mandate_view", {"mandate_id": mandate_id, "control_token": control_token,
                "api_key": api_key})

    def amh_mandate_revoke(self, *, mandate_id: str, control_token: str = OMIT, reason: str = OMIT, nonce: str = OMIT,
            at: str = OMIT, principal_signature: str = OMIT) -> Answer:
        """Revoke a mandate. POST /api/amh/mandate/{mandate_id}/revoke"""
        return self.call("amh_mandate_revoke", {"mandate_id": mandate_id, "control_token": control_token,
                "reason": reason, "nonce": nonce, "at": at, "principal_signature": principal_signature})

    def amh_mandate_narrow(self, *, mandate_id: str, control_token: str = OMIT, platforms: Sequence[Any],
            nonce: str = OMIT, at: str = OMIT, principal_signature: str = OMIT) -> Answer:
        """Narrow a mandate to named platforms. POST /api/amh/mandate/{mandate_id}/narrow"""
        return self.call("amh_mandate_narrow", {"mandate_id": mandate_id, "control_token": control_token,
                "platforms": platforms, "nonce": nonce, "at": at, "principal_signature": principal_signature})

    def amh_mandate_void(self, *, mandate_id: str, control_token: str = OMIT, platform_id: str, nonce: str = OMIT,
            at: str = OMIT, principal_signature: str = OMIT) -> Answer:
        """Void an unknown platform's use of a mandate. POST /api/amh/mandate/{mandate_id}/void"""
        return self.call("amh_mandate_void", {"mandate_id": mandate_id, "control_token": control_token,
                "platform_id": platform_id, "nonce": nonce, "at": at, "principal_signature": principal_signature})

    def amh_mandate_approve(self, *, mandate_id: str, control_token: str = OMIT, action: str,
            custom_action: Union[str, None] = OMIT, amount_cents: int, currency: str, payload_hash: str,
            nonce: str = OMIT, at: str = OMIT, principal_signature: str = OMIT) -> Answer:
        """Approve one action. POST /api/amh/mandate/{mandate_id}/approve"""
        return self.call("amh_mandate_approve", {"mandate_id": mandate_id, "control_token": control_token,
                "action": action, "custom_action": custom_action, "amount_cents": amount_cents, "currency": currency,
                "payload_hash": payload_hash, "nonce": nonce, "at": at, "principal_signature": principal_signature})

    def amh_key_create(self, *, api_key: str = OMIT) -> Answer:
        """Create a second key. POST /api/amh/keys"""
        return self.call("amh_key_create", {"api_key": api_key})

    def amh_key_revoke(self, *, api_key: str = OMIT, key_id: str) -> Answer:
        """Revoke a key. POST /api/amh/keys/{key_id}/revoke"""
        return self.call("amh_key_revoke", {"api_key": api_key, "key_id": key_id})

    def do(self, *, agent_id: str, need: str, inputs: Mapping[str, Any] = OMIT, region: str = OMIT,
            max_eur: str = OMIT, mode: str = OMIT, idempotency_key: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Try a task without an account (three per 30 days). POST /do"""
        return self.call("do", {"agent_id": agent_id, "need": need, "inputs": inputs, "region": region,
                "max_eur": max_eur, "mode": mode, "idempotency_key": idempotency_key, "agent_key": agent_key})

    def create_task(self, *, agent_id: str, need: str, inputs: Mapping[str, Any] = OMIT, region: str = OMIT,
            max_eur: str = OMIT, mode: str = OMIT, idempotency_key: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Create a task. POST /api/tasks"""
        return self.call("create_task", {"agent_id": agent_id, "need": need, "inputs": inputs, "region": region,
                "max_eur": max_eur, "mode": mode, "idempotency_key": idempotency_key, "agent_key": agent_key})

    def check_task(self, *, ref: str, receipt_key: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Get a task. GET /api/tasks/{ref}"""
        return self.call("check_task", {"ref": ref, "receipt_key": receipt_key, "agent_key": agent_key})

    def get_evidence(self, *, task_id: str) -> Answer:
        """Get the evidence of a task. GET /api/tasks/{task_id}/evidence"""
        return self.call("get_evidence", {"task_id": task_id})

    def answer_task(self, *, task_id: str, inputs: Mapping[str, Any] = OMIT, need: str = OMIT, route: str = OMIT,
            receipt_key: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Answer task questions. POST /api/tasks/{task_id}/input"""
        return self.call("answer_task", {"task_id": task_id, "inputs": inputs, "need": need, "route": route,
                "receipt_key": receipt_key, "agent_key": agent_key})

    def accept_quote(self, *, task_id: str, receipt_key: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Accept a quote. POST /api/tasks/{task_id}/accept"""
        return self.call("accept_quote", {"task_id": task_id, "receipt_key": receipt_key, "agent_key": agent_key})

    def cancel_task(self, *, task_id: str, receipt_key: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Cancel a task. POST /api/tasks/{task_id}/cancel"""
        return self.call("cancel_task", {"task_id": task_id, "receipt_key": receipt_key, "agent_key": agent_key})

    def task_page(self, *, receipt_id: str) -> Answer:
        """Show a task as a page. GET /tasks/{receipt_id}"""
        return self.call("task_page", {"receipt_id": receipt_id})

    def open_task_page(self, *, receipt_id: str, receipt_key: str) -> Answer:
        """Show a task page with its result. POST /tasks/{receipt_id}"""
        return self.call("open_task_page", {"receipt_id": receipt_id, "receipt_key": receipt_key})

    def exit(self, *, lesson: str, agent: str = OMIT, agent_id: str = OMIT, key: str = OMIT, task_id: str = OMIT,
            outcome: str = OMIT, evidence: str = OMIT, agent_key: str = OMIT) -> Answer:
        """Record a lesson on exit. POST /exit"""
        return self.call("exit", {"lesson": lesson, "agent": agent, "agent_id": agent_id, "key": key,
                "task_id": task_id, "outcome": outcome, "evidence": evidence, "agent_key": agent_key})

    def bom_calculate(self, *, agent_key: str = OMIT, idempotency_key: str = OMIT, bom: Mapping[str, Any],
            document: Any = OMIT, quantity: Union[float, str], currency: str = OMIT, strategy: str = OMIT,
            catalogue: Union[Sequence[Any], str] = OMIT, fx: Mapping[str, Any] = OMIT,
            need_by: Union[str, None] = OMIT, include_optional: bool = OMIT,
            max_buyup_factor: Union[float, str, None] = OMIT) -> Answer:
        """Price a bill of materials. POST /api/v1/calculate"""
        return self.call("bom_calculate", {"agent_key": agent_key, "idempotency_key": idempotency_key, "bom": bom,
                "document": document, "quantity": quantity, "currency": currency, "strategy": strategy,
                "catalogue": catalogue, "fx": fx, "need_by": need_by, "include_optional": include_optional,
                "max_buyup_factor": max_buyup_factor})

    def get_calculation(self, *, agent_key: str = OMIT, calculation_id: str) -> Answer:
        """Get a calculation. GET /api/v1/calculations/{calculation_id}"""
        return self.call("get_calculation", {"agent_key": agent_key, "calculation_id": calculation_id})

    def create_order(self, *, agent_key: str = OMIT, header_key: str = OMIT, calculation_id: str = OMIT,
            lines: Sequence[Any] = OMIT, supplier: str, ship_to: Mapping[str, Any], mandate_id: str = OMIT,
            max_total_eur: str = OMIT, mode: str = OMIT, note: str = OMIT, idempotency_key: str = OMIT) -> Answer:
        """Create an order. POST /api/v1/orders"""
        return self.call("create_order", {"agent_key": agent_key, "header_key": header_key,
                "calculation_id": calculation_id, "lines": lines, "supplier": supplier, "ship_to": ship_to,
                "mandate_id": mandate_id, "max_total_eur": max_total_eur, "mode": mode, "note": note,
                "idempotency_key": idempotency_key})

    def list_orders(self, *, agent_key: str = OMIT, limit: int = OMIT, before: str = OMIT) -> Answer:
        """List orders. GET /api/v1/orders"""
        return self.call("list_orders", {"agent_key": agent_key, "limit": limit, "before": before})

    def get_order(self, *, agent_key: str = OMIT, order_id: str) -> Answer:
        """Get an order. GET /api/v1/orders/{order_id}"""
        return self.call("get_order", {"agent_key": agent_key, "order_id": order_id})

    def place_order(self, *, agent_key: str = OMIT, order_id: str, idempotency_key: str = OMIT) -> Answer:
        """Place a quoted order. POST /api/v1/orders/{order_id}/place"""
        return self.call("place_order", {"agent_key": agent_key, "order_id": order_id,
                "idempotency_key": idempotency_key})

    def cancel_order(self, *, agent_key: str = OMIT, order_id: str, idempotency_key: str = OMIT) -> Answer:
        """Cancel an order. POST /api/v1/orders/{order_id}/cancel"""
        return self.call("cancel_order", {"agent_key": agent_key, "order_id": order_id,
                "idempotency_key": idempotency_key})

    def register_agent(self, *, name: str, owner_email: str, scopes: Sequence[Any] = OMIT, idempotency_key: str = OMIT) -> Answer:
        """Register an agent. POST /api/agents/register"""
        return self.call("register_agent", {"name": name, "owner_email": owner_email, "scopes": scopes,
                "idempotency_key": idempotency_key})

    def get_agent(self, *, agent_key: str = OMIT) -> Answer:
        """Get the current agent. GET /api/agents/me"""
        return self.call("get_agent", {"agent_key": agent_key})

    def rotate_key(self, *, agent_key: str = OMIT, idempotency_key: str = OMIT) -> Answer:
        """Create a second key. POST /api/agents/keys"""
        return self.call("rotate_key", {"agent_key": agent_key, "idempotency_key": idempotency_key})

    def revoke_key(self, *, agent_key: str = OMIT, key_id: str) -> Answer:
        """Revoke a key. POST /api/agents/keys/{key_id}/revoke"""
        return self.call("revoke_key", {"agent_key": agent_key, "key_id": key_id})

    def get_wallet(self, *, agent_key: str = OMIT) -> Answer:
        """Get the wallet balance. GET /api/agents/wallet"""
        return self.call("get_wallet", {"agent_key": agent_key})

    def get_wallet_ledger(self, *, agent_key: str = OMIT, before_seq: int = OMIT, limit: int = OMIT) -> Answer:
        """List ledger entries. GET /api/agents/wallet/ledger"""
        return self.call("get_wallet_ledger", {"agent_key": agent_key, "before_seq": before_seq, "limit": limit})

    def topup_wallet(self, *, agent_key: str = OMIT, idempotency_key: str = OMIT, tier: str) -> Answer:
        """Start a card top-up. POST /api/agents/wallet/topup"""
        return self.call("topup_wallet", {"agent_key": agent_key, "idempotency_key": idempotency_key, "tier": tier})

    def get_topup(self, *, agent_key: str = OMIT, topup_id: str) -> Answer:
        """Get a top-up. GET /api/agents/wallet/topup/{topup_id}"""
        return self.call("get_topup", {"agent_key": agent_key, "topup_id": topup_id})

    def topup_return(self, *, topup_id: str, session_id: str = OMIT) -> Answer:
        """Checkout return page. GET /wallet/topups/{topup_id}"""
        return self.call("topup_return", {"topup_id": topup_id, "session_id": session_id})

    def stripe_webhook(self, *, signature: str = OMIT, event: str) -> Answer:
        """Card processor webhook. POST /api/webhooks/stripe"""
        return self.call("stripe_webhook", {"signature": signature, "event": event})

    def request_login_link(self, *, email: str) -> Answer:
        """Request a sign-in email. POST /api/cabinet/request-link"""
        return self.call("request_login_link", {"email": email})

    def cabinet_login_page(self) -> Answer:
        """Sign-in page. GET /cabinet/login"""
        return self.call("cabinet_login_page", {})

    def cabinet_login(self, *, t: str = OMIT, code: str = OMIT) -> Answer:
        """Sign in. POST /cabinet/login"""
        return self.call("cabinet_login", {"t": t, "code": code})

    def start_page(self, *, step: int = OMIT, agent_id: str = OMIT) -> Answer:
        """First steps with an agent. GET /start"""
        return self.call("start_page", {"step": step, "agent_id": agent_id})

    def start(self, *, name: str, owner_email: str, idempotency_key: str = OMIT) -> Answer:
        """Register a first agent from the page. POST /start"""
        return self.call("start", {"name": name, "owner_email": owner_email, "idempotency_key": idempotency_key})

    def start_call(self, *, agent_key: str) -> Answer:
        """Make the first call from the page. POST /start/call"""
        return self.call("start_call", {"agent_key": agent_key})

    def start_topup(self, *, agent_id: str, tier: str, csrf: str = OMIT, code: str = OMIT, mine: str = OMIT) -> Answer:
        """Add money to a first agent. POST /start/topup"""
        return self.call("start_topup", {"agent_id": agent_id, "tier": tier, "csrf": csrf, "code": code, "mine": mine})

    def cabinet_overview(self, *, agent_id: str = OMIT, days: int = OMIT) -> Answer:
        """Get the dashboard overview. GET /cabinet"""
        return self.call("cabinet_overview", {"agent_id": agent_id, "days": days})

    def cabinet_agent(self, *, csrf: str = OMIT, agent_id: str, answer: str) -> Answer:
        """Accept or refuse an agent. POST /cabinet/agents"""
        return self.call("cabinet_agent", {"csrf": csrf, "agent_id": agent_id, "answer": answer})

    def cabinet_ledger(self, *, agent_id: str = OMIT, kind: str = OMIT, before_seq: int = OMIT, limit: int = OMIT,
            capability: str = OMIT, from_: str = OMIT, to: str = OMIT, csv: str = OMIT) -> Answer:
        """List ledger entries. GET /cabinet/ledger"""
        return self.call("cabinet_ledger", {"agent_id": agent_id, "kind": kind, "before_seq": before_seq,
                "limit": limit, "capability": capability, "from": from_, "to": to, "csv": csv})

    def cabinet_spend(self, *, agent_id: str = OMIT, days: int = OMIT, group_by: str = OMIT, csv: str = OMIT) -> Answer:
        """Get spending per day and capability. GET /cabinet/spend"""
        return self.call("cabinet_spend", {"agent_id": agent_id, "days": days, "group_by": group_by, "csv": csv})

    def cabinet_topups(self) -> Answer:
        """List top-ups. GET /cabinet/topup"""
        return self.call("cabinet_topups", {})

    def cabinet_topup(self, *, csrf: str = OMIT, agent_id: str, tier: str) -> Answer:
        """Start a card top-up. POST /cabinet/topup"""
        return self.call("cabinet_topup", {"csrf": csrf, "agent_id": agent_id, "tier": tier})

    def cabinet_tasks(self, *, task_id: str = OMIT, agent_id: str = OMIT, show: str = OMIT, before: str = OMIT) -> Answer:
        """List tasks. GET /cabinet/tasks"""
        return self.call("cabinet_tasks", {"task_id": task_id, "agent_id": agent_id, "show": show, "before": before})

    def cabinet_task_cancel(self, *, csrf: str = OMIT, task_id: str) -> Answer:
        """Cancel a task. POST /cabinet/tasks"""
        return self.call("cabinet_task_cancel", {"csrf": csrf, "task_id": task_id})

    def cabinet_task_answer(self, *, csrf: str = OMIT, task_id: str, answer_1: str = OMIT, answer_2: str = OMIT,
            answer_3: str = OMIT) -> Answer:
        """Answer task questions. POST /cabinet/tasks/answer"""
        return self.call("cabinet_task_answer", {"csrf": csrf, "task_id": task_id, "answer_1": answer_1,
                "answer_2": answer_2, "answer_3": answer_3})

    def cabinet_task_accept(self, *, csrf: str = OMIT, task_id: str) -> Answer:
        """Accept the quote of a task. POST /cabinet/tasks/accept"""
        return self.call("cabinet_task_accept", {"csrf": csrf, "task_id": task_id})

    def cabinet_orders(self, *, order_id: str = OMIT, agent_id: str = OMIT, show: str = OMIT, before: str = OMIT) -> Answer:
        """List orders. GET /cabinet/orders"""
        return self.call("cabinet_orders", {"order_id": order_id, "agent_id": agent_id, "show": show, "before": before})

    def cabinet_order_cancel(self, *, csrf: str = OMIT, order_id: str) -> Answer:
        """Cancel an order. POST /cabinet/orders"""
        return self.call("cabinet_order_cancel", {"csrf": csrf, "order_id": order_id})

    def cabinet_calls(self, *, agent_id: str = OMIT, before: str = OMIT, status: str = OMIT, operation: str = OMIT) -> Answer:
        """List calls. GET /cabinet/calls"""
        return self.call("cabinet_calls", {"agent_id": agent_id, "before": before, "status": status,
                "operation": operation})

    def cabinet_mandates(self, *, agent_id: str = OMIT, before: str = OMIT) -> Answer:
        """List mandates. GET /cabinet/mandates"""
        return self.call("cabinet_mandates", {"agent_id": agent_id, "before": before})

    def cabinet_mandate_open(self, *, csrf: str = OMIT, mandate_id: str, control_token: str, action: str) -> Answer:
        """Show or revoke a mandate. POST /cabinet/mandates"""
        return self.call("cabinet_mandate_open", {"csrf": csrf, "mandate_id": mandate_id,
                "control_token": control_token, "action": action})

    def cabinet_keys(self) -> Answer:
        """List keys. GET /cabinet/keys"""
        return self.call("cabinet_keys", {})

    def cabinet_key(self, *, csrf: str = OMIT, agent_id: str, action: str, key_id: str = OMIT) -> Answer:
        """Create, rotate or revoke a key. POST /cabinet/keys"""
        return self.call("cabinet_key", {"csrf": csrf, "agent_id": agent_id, "action": action, "key_id": key_id})

    def cabinet_agent_new(self, *, csrf: str = OMIT, name: str) -> Answer:
        """Create an agent. POST /cabinet/keys/agent"""
        return self.call("cabinet_agent_new", {"csrf": csrf, "name": name})

    def cabinet_sessions(self) -> Answer:
        """List sessions. GET /cabinet/sessions"""
        return self.call("cabinet_sessions", {})

    def cabinet_session_end(self, *, csrf: str = OMIT, session_id: str) -> Answer:
        """Sign out. POST /cabinet/sessions"""
        return self.call("cabinet_session_end", {"csrf": csrf, "session_id": session_id})

    def cabinet_account(self) -> Answer:
        """Get account deletion details. GET /cabinet/account"""
        return self.call("cabinet_account", {})

    def cabinet_account_delete(self, *, csrf: str = OMIT, confirm: str, give_up_credit: str = OMIT) -> Answer:
        """Delete the account. POST /cabinet/account"""
        return self.call("cabinet_account_delete", {"csrf": csrf, "confirm": confirm, "give_up_credit": give_up_credit})

    def cabinet_export(self) -> Answer:
        """Export account data. GET /cabinet/export"""
        return self.call("cabinet_export", {})

    def sandbox_checkout(self, *, session_id: str) -> Answer:
        """Sandbox checkout page. GET /sandbox/checkout/{session_id}"""
        return self.call("sandbox_checkout", {"session_id": session_id})

    def sandbox_checkout_act(self, *, session_id: str, action: str) -> Answer:
        """Simulate the cardholder. POST /sandbox/checkout/{session_id}/{action}"""
        return self.call("sandbox_checkout_act", {"session_id": session_id, "action": action})

    def sandbox_outbox(self) -> Answer:
        """List sandbox emails. GET /sandbox/outbox"""
        return self.call("sandbox_outbox", {})

    def capabilities_manifest(self) -> Answer:
        """List capabilities. GET /capabilities/manifest"""
        return self.call("capabilities_manifest", {})

    def execute_capability(self, *, agent_key: str = OMIT, idempotency_key: str = OMIT, capability: str,
            input: Mapping[str, Any] = OMIT, inputs: Sequence[Any] = OMIT, options: Mapping[str, Any] = OMIT) -> Answer:
        """Execute a capability. POST /capabilities/execute"""
        return self.call("execute_capability", {"agent_key": agent_key, "idempotency_key": idempotency_key,
                "capability": capability, "input": input, "inputs": inputs, "options": options})

    def get_execution(self, *, agent_key: str = OMIT, execution_id: str) -> Answer:
        """Get an execution. GET /capabilities/executions/{execution_id}"""
        return self.call("get_execution", {"agent_key": agent_key, "execution_id": execution_id})

    def data_summary(self) -> Answer:
        """List data sets. GET /api/data/summary"""
        return self.call("data_summary", {})

    def data_permits(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT, activity: str = OMIT, authority: str = OMIT, type: str = OMIT) -> Answer:
        """Search environmental permits (NL). GET /api/data/permits"""
        return self.call("data_permits", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset, "activity": activity, "authority": authority, "type": type})

    def data_leadtimes(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT, authority: str = OMIT, activity: str = OMIT) -> Answer:
        """Get permit lead times. GET /api/data/leadtimes"""
        return self.call("data_leadtimes", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset, "authority": authority, "activity": activity})

    def data_tenders(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT, cpv: str = OMIT, open_only: str = OMIT, country: str = OMIT) -> Answer:
        """Search construction tenders (NL, BE, DE). GET /api/data/tenders"""
        return self.call("data_tenders", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset, "cpv": cpv, "open_only": open_only, "country": country})

    def data_laws(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT) -> Answer:
        """List construction laws in force (NL). GET /api/data/laws"""
        return self.call("data_laws", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset})

    def data_economy(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT, table: str = OMIT, measure: str = OMIT, period: str = OMIT) -> Answer:
        """Get construction statistics (NL). GET /api/data/economy"""
        return self.call("data_economy", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset, "table": table, "measure": measure, "period": period})

    def data_zones(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT, kind: str = OMIT) -> Answer:
        """List municipalities and emission zones (NL). GET /api/data/zones"""
        return self.call("data_zones", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset, "kind": kind})

    def data_natura(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT, protection: str = OMIT) -> Answer:
        """List Natura 2000 areas (NL). GET /api/data/natura"""
        return self.call("data_natura", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset, "protection": protection})

    def data_events(self, *, query: str = OMIT, municipality: str = OMIT, from_: str = OMIT, to: str = OMIT,
            limit: int = OMIT, offset: int = OMIT, kind: str = OMIT, within_days: int = OMIT) -> Answer:
        """List road works, closures and events (NL). GET /api/data/events"""
        return self.call("data_events", {"query": query, "municipality": municipality, "from": from_, "to": to,
                "limit": limit, "offset": offset, "kind": kind, "within_days": within_days})

    def data_sources(self) -> Answer:
        """List data sources. GET /api/data/sources"""
        return self.call("data_sources", {})

    def data_component(self, *, mpn: str) -> Answer:
        """Look up an electronic component. GET /api/data/components/{mpn}"""
        return self.call("data_component", {"mpn": mpn})

    def data_search(self, *, query: str) -> Answer:
        """Search docs, operations and open data. GET /api/data/search"""
        return self.call("data_search", {"query": query})

    def data_document(self, *, id: str) -> Answer:
        """Get a text found by search. GET /api/data/documents"""
        return self.call("data_document", {"id": id})

    def data_ask(self, *, question: str, lang: str = OMIT) -> Answer:
        """Answer a question from the docs. GET /api/data/ask"""
        return self.call("data_ask", {"question": question, "lang": lang})

    def playground(self, *, operation: str = OMIT, key: str = OMIT, agent: str = OMIT, reward_usd: str = OMIT,
            effort_usd: str = OMIT, slots: str = OMIT, attempt: str = OMIT, probe: str = OMIT, p_success: str = OMIT,
            mode: str = OMIT, ttl: str = OMIT, intent: str = OMIT, hops: str = OMIT, brief: str = OMIT,
            lease: str = OMIT, token: str = OMIT, queue: str = OMIT, evidence: str = OMIT, receipt: str = OMIT,
            outcome: str = OMIT, note: str = OMIT, kind: str = OMIT, amount_usd: str = OMIT,
            instruction_source: str = OMIT, per_action_cap_usd: str = OMIT, period_budget_usd: str = OMIT,
            period_spent_usd: str = OMIT, intent_id: str = OMIT, intent_settled_before: str = OMIT,
            counterparty_verified: str = OMIT, reference_price_usd: str = OMIT, p_basis: str = OMIT,
            value_usd: str = OMIT, effort_cost_usd: str = OMIT, cumulative_cost_usd: str = OMIT,
            attempts_without_progress: str = OMIT, reversible: str = OMIT, approved_out_of_band: str = OMIT,
            delivery: str = OMIT, probe_amount_usd: str = OMIT, text: str = OMIT, schema_id: str = OMIT,
            claim: str = OMIT, disclosure: str = OMIT, index: str = OMIT, attestation_id: str = OMIT,
            vat_number: str = OMIT) -> Answer:
        """Playground. GET /playground"""
        return self.call("playground", {"operation": operation, "key": key, "agent": agent, "reward_usd": reward_usd,
                "effort_usd": effort_usd, "slots": slots, "attempt": attempt, "probe": probe, "p_success": p_success,
                "mode": mode, "ttl": ttl, "intent": intent, "hops": hops, "brief": brief, "lease": lease,
                "token": token, "queue": queue, "evidence": evidence, "receipt": receipt, "outcome": outcome,
                "note": note, "kind": kind, "amount_usd": amount_usd, "instruction_source": instruction_source,
                "per_action_cap_usd": per_action_cap_usd, "period_budget_usd": period_budget_usd,
                "period_spent_usd": period_spent_usd, "intent_id": intent_id,
                "intent_settled_before": intent_settled_before, "counterparty_verified": counterparty_verified,
                "reference_price_usd": reference_price_usd, "p_basis": p_basis, "value_usd": value_usd,
                "effort_cost_usd": effort_cost_usd, "cumulative_cost_usd": cumulative_cost_usd,
                "attempts_without_progress": attempts_without_progress, "reversible": reversible,
                "approved_out_of_band": approved_out_of_band, "delivery": delivery,
                "probe_amount_usd": probe_amount_usd, "text": text, "schema_id": schema_id, "claim": claim,
                "disclosure": disclosure, "index": index, "attestation_id": attestation_id, "vat_number": vat_number})

    def playground_run(self, *, operation: str = OMIT, key: str = OMIT, agent: str = OMIT, reward_usd: str = OMIT,
            effort_usd: str = OMIT, slots: str = OMIT, attempt: str = OMIT, probe: str = OMIT, p_success: str = OMIT,
            mode: str = OMIT, ttl: str = OMIT, intent: str = OMIT, hops: str = OMIT, brief: str = OMIT,
            lease: str = OMIT, token: str = OMIT, queue: str = OMIT, evidence: str = OMIT, receipt: str = OMIT,
            outcome: str = OMIT, note: str = OMIT, kind: str = OMIT, amount_usd: str = OMIT,
            instruction_source: str = OMIT, per_action_cap_usd: str = OMIT, period_budget_usd: str = OMIT,
            period_spent_usd: str = OMIT, intent_id: str = OMIT, intent_settled_before: str = OMIT,
            counterparty_verified: str = OMIT, reference_price_usd: str = OMIT, p_basis: str = OMIT,
            value_usd: str = OMIT, effort_cost_usd: str = OMIT, cumulative_cost_usd: str = OMIT,
            attempts_without_progress: str = OMIT, reversible: str = OMIT, approved_out_of_band: str = OMIT,
            delivery: str = OMIT, probe_amount_usd: str = OMIT, text: str = OMIT, schema_id: str = OMIT,
            claim: str = OMIT, disclosure: str = OMIT, index: str = OMIT, attestation_id: str = OMIT,
            vat_number: str = OMIT) -> Answer:
        """Run a playground call. POST /playground"""
        return self.call("playground_run", {"operation": operation, "key": key, "agent": agent,
                "reward_usd": reward_usd, "effort_usd": effort_usd, "slots": slots, "attempt": attempt,
                "probe": probe, "p_success": p_success, "mode": mode, "ttl": ttl, "intent": intent, "hops": hops,
                "brief": brief, "lease": lease, "token": token, "queue": queue, "evidence": evidence,
                "receipt": receipt, "outcome": outcome, "note": note, "kind": kind, "amount_usd": amount_usd,
                "instruction_source": instruction_source, "per_action_cap_usd": per_action_cap_usd,
                "period_budget_usd": period_budget_usd, "period_spent_usd": period_spent_usd, "intent_id": intent_id,
                "intent_settled_before": intent_settled_before, "counterparty_verified": counterparty_verified,
                "reference_price_usd": reference_price_usd, "p_basis": p_basis, "value_usd": value_usd,
                "effort_cost_usd": effort_cost_usd, "cumulative_cost_usd": cumulative_cost_usd,
                "attempts_without_progress": attempts_without_progress, "reversible": reversible,
                "approved_out_of_band": approved_out_of_band, "delivery": delivery,
                "probe_amount_usd": probe_amount_usd, "text": text, "schema_id": schema_id, "claim": claim,
                "disclosure": disclosure, "index": index, "attestation_id": attestation_id, "vat_number": vat_number})

    def playground_pay(self, *, operation: str = OMIT, key: str = OMIT, agent: str = OMIT, reward_usd: str = OMIT,
            effort_usd: str = OMIT, slots: str = OMIT, attempt: str = OMIT, probe: str = OMIT, p_success: str = OMIT,
            mode: str = OMIT, ttl: str = OMIT, intent: str = OMIT, hops: str = OMIT, brief: str = OMIT,
            lease: str = OMIT, token: str = OMIT, queue: str = OMIT, evidence: str = OMIT, receipt: str = OMIT,
            outcome: str = OMIT, note: str = OMIT, kind: str = OMIT, amount_usd: str = OMIT,
            instruction_source: str = OMIT, per_action_cap_usd: str = OMIT, period_budget_usd: str = OMIT,
            period_spent_usd: str = OMIT, intent_id: str = OMIT, intent_settled_before: str = OMIT,
            counterparty_verified: str = OMIT, reference_price_usd: str = OMIT, p_basis: str = OMIT,
            value_usd: str = OMIT, effort_cost_usd: str = OMIT, cumulative_cost_usd: str = OMIT,
            attempts_without_progress: str = OMIT, reversible: str = OMIT, approved_out_of_band: str = OMIT,
            delivery: str = OMIT, probe_amount_usd: str = OMIT, text: str = OMIT, schema_id: str = OMIT,
            claim: str = OMIT, disclosure: str = OMIT, index: str = OMIT, attestation_id: str = OMIT,
            vat_number: str = OMIT, kvk_number: str = OMIT, company_name: str = OMIT, name: str = OMIT,
            kenteken: str = OMIT, company: str = OMIT, plate: str = OMIT, budget_period_usd: str = OMIT,
            period_days: str = OMIT, funds_reachable_usd: str = OMIT, max_burn_usd_per_hour: str = OMIT,
            detection_hours: str = OMIT, goal_value_usd: str = OMIT, scope: str = OMIT, role: str = OMIT,
            hard_cap_outside_model: str = OMIT, per_action_cap_enforced: str = OMIT, aggregate_budget: str = OMIT,
            loop_breaker: str = OMIT, progress_stop_loss: str = OMIT, billing_path_known: str = OMIT,
            cost_per_run_measured: str = OMIT, alerts_cover_all_channels: str = OMIT, keys_scoped: str = OMIT,
            untrusted_input_gate: str = OMIT, counterparty_check: str = OMIT, idempotency: str = OMIT,
            delivery_binding: str = OMIT, ev_check: str = OMIT, irreversible_gate: str = OMIT,
            outcome_metric: str = OMIT, reconciliation: str = OMIT, system_of_record: str = OMIT, system: str = OMIT,
            agents: str = OMIT, claim_before_work: str = OMIT, leases_expire: str = OMIT,
            idempotent_side_effects: str = OMIT, stop_condition: str = OMIT, independent_verification: str = OMIT,
            structured_handoff: str = OMIT, hop_limit: str = OMIT, parallelise_gate: str = OMIT,
            context_budget: str = OMIT, backoff_and_admission: str = OMIT, fresh_state_before_write: str = OMIT,
            receipts: str = OMIT, counterparty_and_venue_check: str = OMIT, shared_experience: str = OMIT,
            policy_not_prompts: str = OMIT, variance_measured: str = OMIT, verify: str = OMIT) -> Answer:
        """Run a playground call and pay with test money. POST /playground/pay"""
        return self.call("playground_pay", {"operation": operation, "key": key, "agent": agent,
                "reward_usd": reward_usd, "effort_usd": effort_usd, "slots": slots, "attempt": attempt,
                "probe": probe, "p_success": p_success, "mode": mode, "ttl": ttl, "intent": intent, "hops": hops,
                "brief": brief, "lease": lease, "token": token, "queue": queue, "evidence": evidence,
                "receipt": receipt, "outcome": outcome, "note": note, "kind": kind, "amount_usd": amount_usd,
                "instruction_source": instruction_source, "per_action_cap_usd": per_action_cap_usd,
                "period_budget_usd": period_budget_usd, "period_spent_usd": period_spent_usd, "intent_id": intent_id,
                "intent_settled_before": intent_settled_before, "counterparty_verified": counterparty_verified,
                "reference_price_usd": reference_price_usd, "p_basis": p_basis, "value_usd": value_usd,
                "effort_cost_usd": effort_cost_usd, "cumulative_cost_usd": cumulative_cost_usd,
                "attempts_without_progress": attempts_without_progress, "reversible": reversible,
                "approved_out_of_band": approved_out_of_band, "delivery": delivery,
                "probe_amount_usd": probe_amount_usd, "text": text, "schema_id": schema_id, "claim": claim,
                "disclosure": disclosure, "index": index, "attestation_id": attestation_id, "vat_number": vat_number,
                "kvk_number": kvk_number, "company_name": company_name, "name": name, "kenteken": kenteken,
                "company": company, "plate": plate, "budget_period_usd": budget_period_usd,
                "period_days": period_days, "funds_reachable_usd": funds_reachable_usd,
                "max_burn_usd_per_hour": max_burn_usd_per_hour, "detection_hours": detection_hours,
                "goal_value_usd": goal_value_usd, "scope": scope, "role": role,
                "hard_cap_outside_model": hard_cap_outside_model, "per_action_cap_enforced": per_action_cap_enforced,
                "aggregate_budget": aggregate_budget, "loop_breaker": loop_breaker,
                "progress_stop_loss": progress_stop_loss, "billing_path_known": billing_path_known,
                "cost_per_run_measured": cost_per_run_measured,
                "alerts_cover_all_channels": alerts_cover_all_channels, "keys_scoped": keys_scoped,
                "untrusted_input_gate": untrusted_input_gate, "counterparty_check": counterparty_check,
                "idempotency": idempotency, "delivery_binding": delivery_binding, "ev_check": ev_check,
                "irreversible_gate": irreversible_gate, "outcome_metric": outcome_metric,
                "reconciliation": reconciliation, "system_of_record": system_of_record, "system": system,
                "agents": agents, "claim_before_work": claim_before_work, "leases_expire": leases_expire,
                "idempotent_side_effects": idempotent_side_effects, "stop_condition": stop_condition,
                "independent_verification": independent_verification, "structured_handoff": structured_handoff,
                "hop_limit": hop_limit, "parallelise_gate": parallelise_gate, "context_budget": context_budget,
                "backoff_and_admission": backoff_and_admission, "fresh_state_before_write": fresh_state_before_write,
                "receipts": receipts, "counterparty_and_venue_check": counterparty_and_venue_check,
                "shared_experience": shared_experience, "policy_not_prompts": policy_not_prompts,
                "variance_measured": variance_measured, "verify": verify})

    def sandbox_faucet(self, *, address: str) -> Answer:
        """Get 5 test USDC. POST /sandbox/faucet"""
        return self.call("sandbox_faucet", {"address": address})

    def sandbox_balance(self, *, address: str) -> Answer:
        """Get a test USDC balance. GET /sandbox/balance/{address}"""
        return self.call("sandbox_balance", {"address": address})

    def health(self) -> Answer:
        """Health check. GET /api/v1/health"""
        return self.call("health", {})

    def system_status(self) -> Answer:
        """Service status. GET /system/status"""
        return self.call("system_status", {})

    def service_keys(self) -> Answer:
        """Get public keys. GET /.well-known/avouch-keys.json"""
        return self.call("service_keys", {})

    def did_document(self) -> Answer:
        """Get the did:web document. GET /.well-known/did.json"""
        return self.call("did_document", {})

    def x402_discovery(self) -> Answer:
        """List x402 resources. GET /.well-known/x402"""
        return self.call("x402_discovery", {})

    def mcp_tools(self) -> Answer:
        """List the public MCP tools. GET /mcp/tools.json"""
        return self.call("mcp_tools", {})

    def connect(self, *, host: str = OMIT, agent: str = OMIT) -> Answer:
        """Connect an MCP host. GET /connect"""
        return self.call("connect", {"host": host, "agent": agent})

    def openapi(self) -> Answer:
        """Get the OpenAPI document. GET /openapi.json"""
        return self.call("openapi", {})

    def problem_type(self, *, code: str) -> Answer:
        """Explain a problem code. GET /problems/{code}"""
        return self.call("problem_type", {"code": code})

    def entry(self) -> Answer:
        """Service description. GET /entry"""
        return self.call("entry", {})

    def entry_full(self) -> Answer:
        """Full service description. GET /entry/full"""
        return self.call("entry_full", {})

    def onboarding(self) -> Answer:
        """Onboarding. GET /agent-discovery/onboarding"""
        return self.call("onboarding", {})

    def coordination_manifest(self) -> Answer:
        """Coordination rules. GET /coordination/manifest"""
        return self.call("coordination_manifest", {})

    def economy_manifest(self) -> Answer:
        """Prices. GET /economy/manifest"""
        return self.call("economy_manifest", {})

    def strategy_pillars(self) -> Answer:
        """Maturity of each product area. GET /api/strategy/pillars"""
        return self.call("strategy_pillars", {})

    def usage_rules(self, *, version: str = OMIT) -> Answer:
        """Usage rules. GET /api/rules-of-engagement"""
        return self.call("usage_rules", {"version": version})

    def llms(self) -> str:
        """Get llms.txt. GET /llms.txt"""
        return self.call("llms", {})

    def llms_full(self) -> str:
        """All docs in one file. GET /llms-full.txt"""
        return self.call("llms_full", {})

    def ai_plugin(self) -> Answer:
        """Get the plugin document. GET /.well-known/ai-plugin.json"""
        return self.call("ai_plugin", {})

    def ai_catalog(self) -> Answer:
        """Get the AI catalogue. GET /.well-known/ai-catalog.json"""
        return self.call("ai_catalog", {})

    def mcp_server_card(self) -> Answer:
        """Get the MCP server card. GET /mcp/streamable/server-card"""
        return self.call("mcp_server_card", {})

    def mcp_server_card_well_known(self) -> Answer:
        """Get the MCP server card at its well-known address. GET /.well-known/mcp/server-card.json"""
        return self.call("mcp_server_card_well_known", {})

    def mcp_registry_auth(self) -> str:
        """Get the key for the MCP registry. GET /.well-known/mcp-registry-auth"""
        return self.call("mcp_registry_auth", {})

    def robots(self) -> str:
        """Get robots.txt. GET /robots.txt"""
        return self.call("robots", {})

    def logo(self) -> str:
        """Logo. GET /logo.svg"""
        return self.call("logo", {})

    def verify_file(self, *, file: str) -> str:
        """Download the verifier. GET /verify/{file}"""
        return self.call("verify_file", {"file": file})

    def home(self) -> Answer:
        """Home page. GET /"""
        return self.call("home", {})

    def demo_race(self) -> Answer:
        """Let two agents claim the same work. POST /demo/race"""
        return self.call("demo_race", {})

    def product(self, *, product: str) -> Answer:
        """Get a product page. GET /product/{product}"""
        return self.call("product", {"product": product})

    def pricing(self) -> Answer:
        """Prices for people. GET /pricing"""
        return self.call("pricing", {})

    def protocols(self) -> Answer:
        """List protocols. GET /protocols"""
        return self.call("protocols", {})

    def protocol(self, *, protocol: str) -> Answer:
        """Get a protocol. GET /protocols/{protocol}"""
        return self.call("protocol", {"protocol": protocol})

    def docs(self) -> Answer:
        """Documentation index. GET /docs"""
        return self.call("docs", {})

    def docs_page(self, *, name: str) -> Answer:
        """Get a documentation page. GET /docs/{name}"""
        return self.call("docs_page", {"name": name})

    def api_reference(self) -> Answer:
        """API reference. GET /docs/api"""
        return self.call("api_reference", {})

    def api_operation(self, *, operation: str) -> Answer:
        """Describe an operation. GET /docs/api/{operation}"""
        return self.call("api_operation", {"operation": operation})

    def search_pages(self, *, q: str = OMIT, all: str = OMIT) -> Answer:
        """Search. GET /search"""
        return self.call("search_pages", {"q": q, "all": all})

    def design(self) -> Answer:
        """Page components. GET /design"""
        return self.call("design", {})

    def page_asset(self, *, name: str) -> str:
        """Get a style sheet or script. GET /assets/{name}"""
        return self.call("page_asset", {"name": name})

    def identity(self) -> Answer:
        """Check your request signature. GET /v1/identity"""
        return self.call("identity", {})

    def signature_directory(self) -> Answer:
        """Get our request signing keys. GET /.well-known/http-message-signatures-directory"""
        return self.call("signature_directory", {})
