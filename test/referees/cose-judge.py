# Checks COSE receipts (RFC 9942) with cbor2 and cryptography only: JSON lines in, one JSON list of verdicts out.
import hashlib, json, sys
import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def inclusion_root(leaf, index, size, path):
    fn, sn, root = index, size - 1, leaf
    for sibling in path:
        if sn == 0:
            raise ValueError("the path is too long")
        if fn & 1 or fn == sn:
            root = node(sibling, root)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            root = node(root, sibling)
        fn, sn = fn >> 1, sn >> 1
    if sn:
        raise ValueError("the path is too short")
    return root


def consistent_root(first, second, old_root, proof, new_root):
    path = ([old_root] if first & (first - 1) == 0 else []) + proof
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            raise ValueError("the proof is too long")
        if fn & 1 or fn == sn:
            fr, sr = node(c, fr), node(c, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    if sn or fr != old_root or sr != new_root:
        raise ValueError("the trees do not belong together")
    return new_root


def judge(case):
    sign1 = cbor2.loads(bytes.fromhex(case["receipt"]))
    protected, unprotected, payload, signature = sign1.value
    header = cbor2.loads(protected)
    if sign1.tag != 18 or header[1] != -8 or header[395] != 1 or header[15] != {1: case["iss"], 2: case["sub"]}:
        raise ValueError("another header")
    keys = {hashlib.sha256(cbor2.dumps({1: k[1], -1: k[-1], -2: k[-2]}, canonical=True)).digest(): k[-2]
            for k in cbor2.loads(bytes.fromhex(case["keys"]))}
    proofs = unprotected[396]
    if "entry" in case:
        if payload is not None:
            raise ValueError("the root is attached")
        size, index, path = cbor2.loads(proofs[-1][0])
        leaf = hashlib.sha256(b"\x00" + bytes.fromhex(case["entry"])).digest()
        root = inclusion_root(leaf, index, size, path)
    else:
        first, second, path = cbor2.loads(proofs[-2][0])
        root = consistent_root(first, second, bytes.fromhex(case["root"]), path, payload)
    to_be_signed = cbor2.dumps(["Signature1", protected, b"", root])
    Ed25519PublicKey.from_public_bytes(keys[header[4]]).verify(signature, to_be_signed)
    return True


def verdict(line):
    try:
        return judge(json.loads(line))
    except (InvalidSignature, ValueError, KeyError, IndexError, TypeError, AttributeError, cbor2.CBORDecodeError):
        return False


print(json.dumps([verdict(line) for line in sys.stdin]))
