// Verifies answers and receipts of an Avouch service offline. One file, no imports: runs in Node 20 and later and in browsers as it is.
// It shares no code with the service. What it proves, and what not: README.md beside this file.

/** A reason to refuse. Any other error is a fault of the surroundings, such as a browser without Ed25519. */
class Refused extends Error {}

function refuse(detail) {
  throw new Refused(detail);
}

function need(condition, detail) {
  if (!condition) refuse(detail);
}

/** Collects checks; `ok` is null for what was not asked or cannot be checked. */
class Report {
  checks = [];

  /** Runs one check and gives its value, or undefined when it refuses. */
  async check(name, work) {
    try {
      const value = await work();
      this.checks.push({ name, ok: true });
      return value ?? true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.checks.push({ name, ok: false, detail: error.message });
      return undefined;
    }
  }

  skip(name, detail) {
    this.checks.push({ name, ok: null, detail });
  }

  result(more = {}) {
    return { valid: this.checks.every(({ ok }) => ok !== false), checks: this.checks, ...more };
  }
}

// ---- Hash and signature: Node's own, elsewhere WebCrypto, or passed in as { sha256, verifyEd25519 } ----------------

const webCrypto = {
  async sha256(bytes) {
    return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  },
  async verifyEd25519(publicKey, message, signature) {
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']);
    return subtle.verify({ name: 'Ed25519' }, key, signature, message);
  },
};

/** WebCrypto sends each hash through another thread: in Node its own are several times faster. */
const node = globalThis.process?.getBuiltinModule?.('node:crypto');
const ownCrypto = node?.hash === undefined ? webCrypto : nodeCrypto(node);

function nodeCrypto({ hash, createPublicKey, verify }) {
  const RFC8410_ED25519_SPKI_PREFIX = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
  return {
    sha256: (bytes) => new Uint8Array(hash('sha256', bytes, 'buffer')),
    verifyEd25519(publicKey, message, signature) {
      const key = bytesOf(RFC8410_ED25519_SPKI_PREFIX, publicKey);
      return verify(null, message, createPublicKey({ key, format: 'der', type: 'spki' }), signature);
    },
  };
}

/** The same with each signature verified once: an answer shows its checkpoint in two places. */
function remembering(crypto) {
  const known = new Map();
  return {
    sha256: (bytes) => crypto.sha256(bytes),
    verifyEd25519(...question) {
      const key = question.join();
      if (!known.has(key)) known.set(key, crypto.verifyEd25519(...question));
      return known.get(key);
    },
  };
}

function bytesOf(...parts) {
  const lists = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const joined = new Uint8Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    joined.set(list, at);
    at += list.length;
  }
  return joined;
}

async function hmac({ sha256 }, key, message) {
  // Keys here are never longer than a block of SHA-256.
  const block = bytesOf(key, new Uint8Array(64 - key.length));
  const inner = await sha256(
    bytesOf(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    bytesOf(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** HKDF-SHA256 (RFC 5869) with an empty salt and 32 bytes of output, which is one block. */
async function hkdf(crypto, secret, info) {
  const extracted = await hmac(crypto, new Uint8Array(32), secret);
  return hmac(crypto, extracted, bytesOf(info, [1]));
}

// ---- Strict reading: every value has one spelling ------------------------------------------------------------------

const MAX_SIZE = 2n ** 63n - 1n;
const MAX_ENTRY_BYTES = 65_535;

function requireText(value, what, most = 1_000_000) {
  need(typeof value === 'string' && value.length <= most, `${what} is not a text of at most ${most} characters`);
  need(!/\p{Surrogate}/u.test(value), `${what} is not well-formed Unicode`);
  return value;
}

function requireObject(value, what) {
  need(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is not an object`);
  return value;
}

function requireList(value, what, most) {
  need(Array.isArray(value) && value.length <= most, `${what} is not a list of at most ${most}`);
  return value;
}

function parseBase64(text, what) {
  requireText(text, what);
  need(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text), `${what} is not base64`);
  const binary = atob(text);
  // Stray bits before the padding would be a second spelling.
  need(btoa(binary) === text, `${what} is not canonical base64`);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function parseHash(text, what) {
  const hash = parseBase64(text, what);
  need(hash.length === 32, `${what} is not 32 bytes`);
  return hash;
}

const parseHashes = (list, what, most = 64) => requireList(list, what, most).map((text) => parseHash(text, what));

function parseDecimal(text, what) {
  need(/^(?:0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) <= MAX_SIZE, `${what} is not a size`);
  return BigInt(text);
}

function requireSize(value, what) {
  need(Number.isSafeInteger(value) && value >= 0, `${what} is not a whole number`);
  return BigInt(value);
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sameBytes(one, other) {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** RFC 8785 (JCS): the one JSON text of a value. */
function canonicalJson(value, depth = 0) {
  if (typeof value === 'string') return JSON.stringify(requireText(value, 'a JSON text'));
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : refuse('a number is not JSON');
  if (typeof value === 'boolean' || value === null) return String(value);
  need(typeof value === 'object', `a value of type ${typeof value} is not JSON`);
  need(depth < 64, 'JSON is nested too deeply');
  const write = (part) => canonicalJson(part, depth + 1);
  if (Array.isArray(value)) return `[${Array.from(value, write).join(',')}]`;
  // What an object inherits is read like its own members, and would not be hashed.
  const parent = Object.getPrototypeOf(value);
  need(parent === null || Object.getPrototypeOf(parent) === null, 'only plain objects and arrays are JSON');
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${write(name)}:${write(value[name])}`).join(',')}}`;
}

/** The entry that the bytes spell, in the only way that JCS allows: no member twice, no other order. */
function parseEntry(bytes) {
  need(
    bytes instanceof Uint8Array && bytes.length > 0 && bytes.length <= MAX_ENTRY_BYTES,
    'the entry has a wrong size',
  );
  let text;
  let entry;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    entry = JSON.parse(text);
  } catch {
    refuse('the entry is not JSON in UTF-8');
  }
  requireObject(entry, 'the entry');
  need(canonicalJson(entry) === text, 'the entry is not canonical JSON');
  need(entry.v === 1 && ['seal', 'mark', 'release'].includes(entry.type), 'the entry is of no known version and type');
  return entry;
}

// ---- Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint) ---------------------------------------------

async function parseVkey({ sha256 }, vkey) {
  const [, name, id, base64] =
    /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(requireText(vkey, 'vkey', 4096)) ?? [];
  need(name !== undefined, 'vkey is not name+id+key');
  const typed = parseBase64(base64, 'the key of the vkey');
  need(typed[0] === 1 && typed.length === 33, 'vkey is not an Ed25519 key of type 1');
  const digest = await sha256(bytesOf(name, '\n', typed));
  need(hex(digest.subarray(0, 4)) === id, 'the key id of the vkey is not that of its name and key');
  return { name, id, publicKey: typed.subarray(1) };
}

function parseNote(note) {
  requireText(note, 'the checkpoint');
  // oxlint-disable-next-line no-control-regex -- control characters are what it must find
  need(!/[\u0000-\u0009\u000b-\u001f]/.test(note), 'the checkpoint has a control character');
  const end = note.lastIndexOf('\n\n');
  need(end !== -1 && note.endsWith('\n'), 'the checkpoint has no blank line before its signatures');
  const lines = note.slice(end + 2, -1).split('\n');
  need(lines.length <= 64, 'the checkpoint has more than 64 signatures');
  const signatures = lines.map((line) => {
    const [, name, base64] = /^\u2014 ([^+\p{White_Space}]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
    need(name !== undefined, 'the checkpoint has a line that is no signature');
    const blob = parseBase64(base64, 'a signature');
    need(blob.length > 4, 'a signature is too short');
    return { name, id: hex(blob.subarray(0, 4)), signature: blob.subarray(4) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/** Origin, size and root of a checkpoint that a key of its own origin signed. `vkey` may be a list of keys. */
async function openCheckpoint(crypto, note, vkey) {
  const keys = await Promise.all([vkey].flat().map((one) => parseVkey(crypto, one)));
  const { text, signatures } = parseNote(note);
  const lines = /^([^\n]+)\n([^\n]+)\n([^\n]+)\n$/.exec(text) ?? refuse('the checkpoint is not exactly three lines');
  const [, origin, size, root] = lines;
  let isSigned = false;
  for (const { name, id, signature } of signatures) {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    const isGood = signature.length === 64 && (await crypto.verifyEd25519(key.publicKey, bytesOf(text), signature));
    need(isGood, 'the signature of the checkpoint is wrong');
    isSigned ||= name === origin;
  }
  need(isSigned, 'no given key of its origin signed the checkpoint');
  return { origin, size: parseDecimal(size, 'the size of the checkpoint'), root: parseHash(root, 'the root') };
}

// ---- Merkle tree (RFC 6962) ----------------------------------------------------------------------------------------

const leafHash = ({ sha256 }, entry) => sha256(bytesOf([0], entry));
const nodeHash = ({ sha256 }, left, right) => sha256(bytesOf([1], left, right));

/** The walk that inclusion and consistency proofs share: calls `left` or `right` for each hash of the path. */
async function walkUp(path, start, last, { left, right }) {
  let at = start;
  let edge = last;
  for (const hash of path) {
    need(edge !== 0n, 'the proof has too many hashes');
    if (at % 2n === 1n || at === edge) {
      await left(hash);
      while (at % 2n === 0n && at !== 0n) {
        at >>= 1n;
        edge >>= 1n;
      }
    } else await right(hash);
    at >>= 1n;
    edge >>= 1n;
  }
  need(edge === 0n, 'the proof has too few hashes');
}

async function inclusionRoot(crypto, { index, leaf, path, size }) {
  need(index < size, 'the index lies beyond the tree');
  let root = leaf;
  await walkUp(path, index, size - 1n, {
    left: async (hash) => (root = await nodeHash(crypto, hash, root)),
    right: async (hash) => (root = await nodeHash(crypto, root, hash)),
  });
  return root;
}

async function requireInclusion(crypto, { index, leaf, path, checkpoint }) {
  const root = await inclusionRoot(crypto, { index, leaf, path, size: checkpoint.size });
  need(sameBytes(root, checkpoint.root), 'entry and proof do not hash to the signed root');
}

async function requireConsistency(crypto, older, newer, proof) {
  need(older.size <= newer.size, 'the older checkpoint is larger than the newer one');
  if (older.size === newer.size || older.size === 0n) {
    need(proof.length === 0, 'the proof must be empty');
    const root = older.size === newer.size ? newer.root : await crypto.sha256(new Uint8Array(0));
    return need(sameBytes(older.root, root), 'two roots were signed for one size');
  }
  const isPower = (older.size & (older.size - 1n)) === 0n;
  const [first, ...path] = isPower ? [older.root, ...proof] : proof;
  need(first !== undefined, 'the proof has too few hashes');
  let start = older.size - 1n;
  let last = newer.size - 1n;
  for (; start % 2n === 1n; start >>= 1n) last >>= 1n;
  let oldRoot = first;
  let newRoot = first;
  await walkUp(path, start, last, {
    left: async (hash) => {
      oldRoot = await nodeHash(crypto, hash, oldRoot);
      newRoot = await nodeHash(crypto, hash, newRoot);
    },
    right: async (hash) => (newRoot = await nodeHash(crypto, newRoot, hash)),
  });
  need(sameBytes(oldRoot, older.root), 'the proof does not lead to the older root');
  need(sameBytes(newRoot, newer.root), 'the proof does not lead to the newer root');
}

/** Heights of the aligned complete subtrees that cover [from, to), left to right. */
function subtreeHeights(from, to) {
  const heights = [];
  for (let at = from; at < to; at += 1n << heights.at(-1)) {
    let height = 0n;
    while (at % (2n << height) === 0n && at + (2n << height) <= to) height += 1n;
    heights.push(height);
  }
  return heights;
}

/** Root over the subtrees [0, from), the leaves from there, and the subtrees after them. */
async function pageRoot(crypto, { from, leaves, size, left, right }) {
  const before = subtreeHeights(0n, from);
  const after = subtreeHeights(from + BigInt(leaves.length), size);
  need(left.length === before.length && right.length === after.length, 'the range proof has a wrong number of hashes');
  const heights = [...before, ...leaves.map(() => 0n), ...after];
  const stack = [];
  for (const [i, hash] of [...left, ...leaves, ...right].entries()) {
    let top = { height: heights[i], hash };
    while (stack.at(-1)?.height === top.height) {
      top = { height: top.height + 1n, hash: await nodeHash(crypto, stack.pop().hash, top.hash) };
    }
    stack.push(top);
  }
  let root = stack.pop()?.hash ?? (await crypto.sha256(new Uint8Array(0)));
  while (stack.length > 0) root = await nodeHash(crypto, stack.pop().hash, root);
  return root;
}

// ---- Ids and commitments -------------------------------------------------------------------------------------------

/** ATT- and the base32 of the leaf hash: whoever has the entry recomputes its id. */
function attestationId(leaf) {
  const bits = Array.from(leaf, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits
    .match(/.{1,5}/g)
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)]);
  return `ATT-${digits.join('')}`;
}

async function commit(crypto, seed, field, value) {
  const salt = await hkdf(crypto, seed, `astralock/v1/${field}`);
  return hex(await crypto.sha256(bytesOf([2], salt, canonicalJson(value))));
}

async function requireClaim(crypto, entry, claim, seed) {
  requireObject(claim, 'the claim');
  const fields = [];
  for (const field of Object.keys(claim)) fields.push([field, await commit(crypto, seed, field, claim[field])]);
  const commitment = hex(await crypto.sha256(bytesOf(canonicalJson(Object.fromEntries(fields)))));
  need(commitment === entry.claim_commitment, 'the claim is not the one that the entry commits to');
}

/** Single fields that a holder shows: each under its salt, and all commitments as the entry binds them. */
async function requireDisclosure(crypto, entry, commitments, disclosed) {
  const fields = Object.entries(requireObject(commitments, 'commitments'));
  for (const [field, text] of fields) need(/^[0-9a-f]{64}$/.test(text), `the commitment of ${field} is not a hash`);
  const commitment = hex(await crypto.sha256(bytesOf(canonicalJson(commitments))));
  need(commitment === entry.claim_commitment, 'the commitments are not those that the entry binds');
  for (const [field, shown] of Object.entries(requireObject(disclosed, 'disclosed'))) {
    const { value, salt } = requireObject(shown, field);
    need(/^[0-9a-f]{64}$/.test(salt), `the salt of ${field} is not 32 bytes`);
    const bytes = Uint8Array.from(salt.match(/../g), (byte) => parseInt(byte, 16));
    const own = hex(await crypto.sha256(bytesOf([2], bytes, canonicalJson(value))));
    need(Object.hasOwn(commitments, field) && own === commitments[field], `${field} is not what was sealed`);
  }
}

async function requireObservations(crypto, entry, observations, seed) {
  const sealed = requireList(entry.observations, 'the observations of the entry', 256);
  need(
    requireList(observations, 'the observations', 256).length === sealed.length,
    'not as many observations as sealed',
  );
  for (const [i, seen] of observations.entries()) {
    const { commitment } = requireObject(sealed[i], 'an observation of the entry');
    need(
      commitment === (await commit(crypto, seed, `observation/${i}`, seen)),
      `observation ${i} is not the sealed one`,
    );
  }
}

async function requireBundleRoot(crypto, entry) {
  const list = requireList(entry.observations, 'the observations of the entry', 256);
  if (list.length === 0) return need(entry.bundle_root === null, 'a bundle root without observations');
  const leaves = await Promise.all(list.map((seen) => leafHash(crypto, bytesOf(canonicalJson(seen)))));
  const root = await pageRoot(crypto, { from: 0n, leaves, size: BigInt(leaves.length), left: [], right: [] });
  need(entry.bundle_root === hex(root), 'the bundle root is not that of the observations');
}

// ---- CBOR (RFC 8949), as far as COSE receipts and keys need it -----------------------------------------------------

const CBOR_NULL = 0xf6;
const MAX_CBOR_DEPTH = 8;
/** Of additional information in a head: how many bytes follow, and the least value that needs them. */
const CBOR_LONG_HEADS = { 24: [1, 24], 25: [2, 0x100], 26: [4, 0x1_0000], 27: [8, 0x1_0000_0000] };

/** attacker-controlled: lengths are compared with what is left before anything is read or made. */
class CborReader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    // A copy: the caller may change its bytes while a hash is awaited.
    this.#bytes = new Uint8Array(bytes);
  }

  get isAtEnd() {
    return this.#at === this.#bytes.length;
  }

  value(depth = 0) {
    need(depth <= MAX_CBOR_DEPTH, 'CBOR is nested too deeply');
    const [first] = this.#take(1);
    if (first === CBOR_NULL) return null;
    const argument = this.#argument(first & 0x1f);
    switch (first >> 5) {
      case 0:
        return argument;
      case 1:
        need(argument < Number.MAX_SAFE_INTEGER, 'a number is beyond 2^53');
        return -1 - argument;
      case 2:
        return this.#take(argument);
      case 3:
        return this.#text(argument);
      case 4:
        this.#needLeft(argument);
        return Array.from({ length: argument }, () => this.value(depth + 1));
      case 5:
        return this.#map(argument, depth);
      case 6:
        return { tag: argument, value: this.value(depth + 1) };
      default:
        return refuse('CBOR has a simple value or a float');
    }
  }

  #argument(info) {
    if (info < 24) return info;
    const [length, least] = CBOR_LONG_HEADS[info] ?? refuse('CBOR has an indefinite length');
    const value = this.#take(length).reduce((sum, byte) => sum * 256 + byte, 0);
    need(value >= least, 'a CBOR head is not the shortest');
    need(Number.isSafeInteger(value), 'a number is beyond 2^53');
    return value;
  }

  #text(length) {
    const bytes = this.#take(length);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return refuse('a CBOR text is not UTF-8');
    }
  }

  #map(length, depth) {
    this.#needLeft(2 * length);
    const map = new Map();
    let last = '';
    for (let i = 0; i < length; i++) {
      const start = this.#at;
      const key = this.value(depth + 1);
      need(typeof key === 'number' || typeof key === 'string', 'a CBOR key is neither a number nor a text');
      const encoded = hex(this.#bytes.subarray(start, this.#at));
      need(last < encoded, 'CBOR keys are out of order');
      last = encoded;
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #take(length) {
    this.#needLeft(length);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #needLeft(length) {
    need(length <= this.#bytes.length - this.#at, 'CBOR ends too early');
  }
}

/** The one value that fills the bytes, in the only encoding that RFC 8949 section 4.2.1 allows. */
function decodeCbor(bytes, what, most) {
  need(bytes instanceof Uint8Array && bytes.length <= most, `${what} must be at most ${most} bytes`);
  const reader = new CborReader(bytes);
  const value = reader.value();
  need(reader.isAtEnd, `${what} has bytes after its CBOR value`);
  return value;
}

/** A byte string shorter than 65,536. */
function cborBytes(bytes) {
  const { length } = bytes;
  if (length < 24) return bytesOf([0x40 | length], bytes);
  return bytesOf(length < 0x100 ? [0x58, length] : [0x59, length >> 8, length & 0xff], bytes);
}

// ---- COSE receipts (RFC 9942) of the tree of RFC 9162 --------------------------------------------------------------

const MAX_COSE_RECEIPT_BYTES = 16_384;
const MAX_COSE_KEYS_BYTES = 1_048_576;
const RFC9052_COSE_SIGN1 = 18;
const RFC9052_ALG = 1;
const RFC9052_KID = 4;
/** EdDSA, and Ed25519 of RFC 9864, which says the same of these keys. */
const COSE_ALGORITHMS = [-8, -19];
const RFC9597_CWT_CLAIMS = 15;
const RFC9942_VDS = 395;
const RFC9942_VDP = 396;
const RFC9942_RFC9162_SHA256 = 1;
const RFC9942_INCLUSION = -1;
const RFC9942_CONSISTENCY = -2;
/** RFC 9679: what a thumbprint hashes before the 32 bytes of an Ed25519 key. */
const RFC9679_ED25519_PREFIX = [0xa3, 0x01, 0x01, 0x20, 0x06, 0x21, 0x58, 0x20];

function requireMap(value, what) {
  need(value instanceof Map, `${what} is not a map`);
  return value;
}

function requireListOf(length, value, what) {
  need(Array.isArray(value) && value.length === length, `${what} is not a list of ${length}`);
  return value;
}

function requireBytes(value, what) {
  need(value instanceof Uint8Array, `${what} is not bytes`);
  return value;
}

/** attacker-controlled: every member of the receipt. */
function parseCoseReceipt(bytes, { entry, root }) {
  need((entry === undefined) !== (root === undefined), 'give the entry or the older root, not both');
  requireBytes(entry ?? root, 'the entry or older root');
  const { tag, value } = decodeCbor(bytes, 'the receipt', MAX_COSE_RECEIPT_BYTES) ?? {};
  need(tag === RFC9052_COSE_SIGN1, 'the receipt is not a COSE_Sign1');
  const [header, unprotected, payload, signature] = requireListOf(4, value, 'the receipt');
  requireBytes(header, 'the protected header');
  requireBytes(signature, 'the signature');
  if (root === undefined) need(payload === null, 'the root is attached');
  else requireBytes(payload, 'the newer root');
  const members = requireMap(decodeCbor(header, 'the protected header', MAX_COSE_RECEIPT_BYTES), 'the header');
  need(COSE_ALGORITHMS.includes(members.get(RFC9052_ALG)), 'the receipt is of another algorithm');
  need(members.get(RFC9942_VDS) === RFC9942_RFC9162_SHA256, 'the receipt is of another kind of tree');
  const kid = requireBytes(members.get(RFC9052_KID), 'the key id');
  const claims = requireMap(members.get(RFC9597_CWT_CLAIMS), 'the claims');
  const log = { iss: claims.get(1), sub: claims.get(2) };
  need(typeof log.iss === 'string' && typeof log.sub === 'string', 'the receipt names no log');
  const proofs = requireMap(requireMap(unprotected, 'the unprotected header').get(RFC9942_VDP), 'the proofs');
  const kind = root === undefined ? RFC9942_INCLUSION : RFC9942_CONSISTENCY;
  const [encoded] = requireListOf(1, proofs.get(kind), 'the proof of this kind');
  const proof = requireListOf(3, decodeCbor(encoded, 'the proof', MAX_COSE_RECEIPT_BYTES), 'the proof');
  const [one, other, path] = proof;
  need(typeof one === 'number' && typeof other === 'number', 'the proof has no size or index');
  need(Array.isArray(path) && path.length > 0, 'the proof has no path');
  for (const hash of path) requireBytes(hash, 'a hash of the path');
  const [size, at] = root === undefined ? [one, other] : [other, one];
  return { header, kid, log, size, at, path, payload, signature };
}

/** The Ed25519 keys of a COSE_Key or a set of them, or raw keys in base64. */
function coseKeysIn(keys) {
  need(keys !== undefined, 'no keys were given');
  if (!(keys instanceof Uint8Array)) return parseHashes(keys, 'a key', 10_000);
  const found = [decodeCbor(keys, 'the key set', MAX_COSE_KEYS_BYTES)].flat();
  const isEd25519 = (key) => key instanceof Map && key.get(1) === 1 && key.get(-1) === 6;
  const raw = found.filter(isEd25519).map((key) => key.get(-2));
  return raw.filter((x) => x instanceof Uint8Array && x.length === 32);
}

async function requireCoseKey(crypto, keys, kid) {
  for (const key of coseKeysIn(keys)) {
    if (sameBytes(await crypto.sha256(bytesOf(RFC9679_ED25519_PREFIX, key)), kid)) return key;
  }
  return refuse('the signing key is none of the given keys');
}

/** The root that must be signed: the path produces it, or leads from the older root to the attached one. */
async function coseRoot(crypto, { size, at, path, payload }, { entry, root }) {
  const [treeSize, place] = [requireSize(size, 'the size'), requireSize(at, 'the index or the older size')];
  const hashes = [...path, ...(root === undefined ? [] : [root, payload])];
  for (const hash of hashes) need(hash.length === 32, 'a hash is not 32 bytes');
  if (root === undefined) {
    return inclusionRoot(crypto, { index: place, leaf: await leafHash(crypto, entry), path, size: treeSize });
  }
  await requireConsistency(crypto, { size: place, root }, { size: treeSize, root: payload }, path);
  return payload;
}

/** Foreign text as a terminal may show it. */
const shown = (text) => text.slice(0, 200).replace(/[^!-~]/g, '?');

// ---- What the file exports -----------------------------------------------------------------------------------------

/** Members of an answer that repeat what the entry says. */
const REPEATED = [
  'type',
  'schema_id',
  'evidence_class',
  'verdict',
  'code',
  'sandbox',
  'sealed_at',
  'claim_commitment',
  'origin',
  'corrects',
  'follows_up',
];

function requireRepeated(answer, entry, leaf) {
  for (const name of REPEATED) {
    // A verify answer says null for what an entry of that type does not have.
    const isSame = answer[name] === undefined || answer[name] === (entry[name] ?? null);
    need(isSame, `${name} of the answer is not that of the entry`);
  }
  need(answer.leaf_hash === undefined || answer.leaf_hash === hex(leaf), 'leaf_hash is not that of the entry');
  const fee = answer.fee?.fee_eurocents;
  need(fee === undefined || fee === entry.fee_eurocents, 'fee_eurocents of the answer is not that of the entry');
}

/** By the word of the service: nothing in the log can show what is not there any more. */
function isErased({ checks }) {
  return Array.isArray(checks) && checks.some((one) => one?.name === 'claim_commitment' && one.state === 'erased');
}

/** The claim and observations that an answer shows, against what the entry commits to. */
async function checkShown(crypto, report, answer, entry, ignoreClaim) {
  const isShown = answer.claim !== undefined && answer.claim !== null;
  const seen = answer.observations ?? [];
  const { disclosed, commitments } = answer;
  if (disclosed !== undefined || commitments !== undefined) {
    await report.check('disclosure', () => requireDisclosure(crypto, entry, commitments, disclosed));
  }
  if (ignoreClaim || (!isShown && seen.length === 0)) {
    const why = isErased(answer) ? 'the service says that the claim was erased' : 'no claim is shown';
    return report.skip('claim_commitment', isShown ? 'ignored as asked: the claim is not proven' : why);
  }
  if (entry.claim_commitment === null && answer.disclosure_seed === undefined) {
    return report.check('claim_in_clear', () =>
      need(canonicalJson(answer.claim) === canonicalJson(entry.claim), 'the claim is not the one in the entry'),
    );
  }
  const seed = await report.check('disclosure_seed', () => {
    need(answer.disclosure_seed !== undefined, 'a claim is shown without the seed that ties it to the entry');
    return parseHash(answer.disclosure_seed, 'disclosure_seed');
  });
  if (seed === undefined) return;
  if (isShown) await report.check('claim_commitment', () => requireClaim(crypto, entry, answer.claim, seed));
  if (entry.type !== 'seal') return;
  await report.check('observation_commitments', () => requireObservations(crypto, entry, seen, seed));
  if (isShown && answer.claim_sha256 !== undefined) {
    await report.check('claim_sha256', async () => {
      const digest = await crypto.sha256(bytesOf(canonicalJson(answer.claim)));
      need(answer.claim_sha256 === hex(digest), 'claim_sha256 is not that of the claim');
    });
  }
}

/** A minimal answer of a seal with what stands in its proof alone: entry, inclusion and checkpoint. Others as they are. */
export function wholeAnswer(answer) {
  const { seq, entry, inclusion, checkpoint, proof } = answer ?? {};
  const isMinimal = seq !== undefined && [entry, inclusion, checkpoint].every((part) => part === undefined);
  if (!isMinimal || typeof proof !== 'string') return answer;
  const [head, ...rest] = proof.split('\n\n');
  const [, extra, index, ...hashes] = head.split('\n');
  if (index === undefined) return answer;
  const note = rest.join('\n\n');
  // Only cut out here: the check of the proof reads it.
  return {
    ...answer,
    entry: extra.slice('extra '.length),
    inclusion: { tree_size: sizeIn(note.split('\n', 2)[1]), index: sizeIn(index.slice('index '.length)), hashes },
    checkpoint: note,
  };
}

function sizeIn(digits) {
  return /^(?:0|[1-9][0-9]{0,14})$/.test(digits) ? Number(digits) : undefined;
}

/**
 * Verifies the answer of POST /api/attest/seal, minimal or whole, or of GET /api/attest/verify/{id}. `vkey` is the key of
 * the log, from a source that the answer does not come from. Give `attestationId` when you asked about a certain id.
 * A shown claim that nothing ties to the entry is refused, unless `ignoreClaim` says that it does not matter.
 */
export async function verifySealAnswer(
  given,
  vkey,
  { attestationId: asked, ignoreClaim = false, crypto: givenCrypto = ownCrypto } = {},
) {
  const crypto = remembering(givenCrypto);
  const answer = wholeAnswer(given);
  const report = new Report();
  const read = await report.check('entry', async () => {
    requireObject(answer, 'the answer');
    const bytes = parseBase64(answer.entry, 'the entry');
    return { bytes, entry: parseEntry(bytes), leaf: await leafHash(crypto, bytes) };
  });
  if (read === undefined) return report.result();
  const { bytes, entry, leaf } = read;
  const id = attestationId(leaf);
  await report.check('id_matches_entry', () => {
    need(answer.attestation_id === id, `the entry is ${id}, not the one that the answer names`);
    need(asked === undefined || asked === id, `the entry is ${id}, not the one asked about`);
  });
  await report.check('answer_matches_entry', () => requireRepeated(answer, entry, leaf));
  if (entry.type === 'seal') await report.check('bundle_root', () => requireBundleRoot(crypto, entry));
  await checkShown(crypto, report, answer, entry, ignoreClaim);
  const checkpoint = await report.check('checkpoint_signature', () => openCheckpoint(crypto, answer.checkpoint, vkey));
  if (checkpoint === undefined) return report.result();
  await report.check('inclusion', async () => {
    const { tree_size: size, index: at, hashes } = requireObject(answer.inclusion, 'inclusion');
    const index = requireSize(at, 'index');
    need(requireSize(size, 'tree_size') === checkpoint.size, 'tree_size is not that of the checkpoint');
    need(answer.seq === at, 'seq is not the proven index');
    await requireInclusion(crypto, { index, leaf, path: parseHashes(hashes, 'a hash of the proof'), checkpoint });
  });
  if (answer.proof !== undefined) {
    await report.check('proof_file', async () => {
      const file = await verifyTlogProof(answer.proof, vkey, { entry: bytes, attestationId: id, crypto });
      need(file.valid, file.checks.find(({ ok }) => ok === false)?.detail);
      need(file.index === requireSize(answer.seq, 'seq'), 'the proof file proves another index');
    });
  }
  return report.result({ attestationId: id, entry, checkpoint });
}

function parseTlogProof(text) {
  requireText(text, 'the proof');
  const end = text.indexOf('\n\n');
  need(end !== -1, 'the proof has no blank line before its checkpoint');
  const [header, ...lines] = text.slice(0, end).split('\n');
  need(header === 'c2sp.org/tlog-proof@v1', 'the first line is not c2sp.org/tlog-proof@v1');
  const extra = lines[0]?.startsWith('extra ') ? parseBase64(lines.shift().slice(6), 'the extra line') : undefined;
  const [index = '', ...hashes] = lines;
  need(index.startsWith('index '), 'the proof has no index');
  const path = parseHashes(hashes, 'a hash of the proof');
  return { extra, index: parseDecimal(index.slice(6), 'the index'), path, note: text.slice(end + 2) };
}

/**
 * Verifies a .tlog-proof file. The question is `entry` (its bytes) or `attestationId`; with neither, the file's own
 * entry is proven, and the result says which one that is.
 */
export async function verifyTlogProof(text, vkey, { entry: given, attestationId: asked, crypto = ownCrypto } = {}) {
  const report = new Report();
  const proof = await report.check('proof_file', () => parseTlogProof(text));
  if (proof === undefined) return report.result();
  const bytes = given ?? proof.extra;
  const read = await report.check('entry', async () => {
    need(bytes !== undefined, 'the file holds no entry and none was given');
    const entry = parseEntry(bytes);
    need(
      proof.extra === undefined || sameBytes(bytes, proof.extra),
      'the file is about another entry than the given one',
    );
    return { entry, leaf: await leafHash(crypto, bytes) };
  });
  if (read === undefined) return report.result();
  const id = attestationId(read.leaf);
  if (asked === undefined) report.skip('id_matches_entry', `no id was asked about: the entry is ${id}`);
  else await report.check('id_matches_entry', () => need(asked === id, `the entry is ${id}, not the one asked about`));
  const checkpoint = await report.check('checkpoint_signature', () => openCheckpoint(crypto, proof.note, vkey));
  if (checkpoint === undefined) return report.result();
  await report.check('inclusion', () => requireInclusion(crypto, { ...proof, leaf: read.leaf, checkpoint }));
  return report.result({ attestationId: id, index: proof.index, entry: read.entry, checkpoint });
}

async function requireRow(crypto, row, seq) {
  requireObject(row, `entry ${seq}`);
  const bytes = parseBase64(row.entry_b64, `entry ${seq}`);
  const entry = parseEntry(bytes);
  const leaf = await leafHash(crypto, bytes);
  need(row.seq === seq, `entry ${seq} has another number`);
  need(row.attestation_id === attestationId(leaf), `the id of entry ${seq} is not that of its bytes`);
  need(row.leaf_hash === hex(leaf), `the leaf hash of entry ${seq} is not that of its bytes`);
  need(row.type === entry.type, `the type of entry ${seq} is not that of its bytes`);
  need(
    canonicalJson(requireObject(row.entry, `entry ${seq}`)) === canonicalJson(entry),
    `entry ${seq} is not its bytes`,
  );
  return leaf;
}

/** Verifies a page of GET /api/attest/ledger: exactly these entries stand at these places of the signed log. */
export async function verifyLedgerPage(page, vkey, { crypto = ownCrypto } = {}) {
  const report = new Report();
  const leaves = await report.check('entries', async () => {
    const rows = requireList(requireObject(page, 'the page').entries, 'entries', 1024);
    const from = requireSize(page.from_seq, 'from_seq');
    need(requireSize(page.next_seq, 'next_seq') === from + BigInt(rows.length), 'next_seq is not the end of the page');
    return Promise.all(rows.map((row, i) => requireRow(crypto, row, page.from_seq + i)));
  });
  return rangeResult(crypto, report, { page, leaves, vkey });
}

function parseLine(line) {
  try {
    return requireObject(JSON.parse(line), 'a line');
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused('a line is not JSON');
  }
}

/**
 * Verifies the lines of GET /api/attest/ledger as application/x-ndjson: its entries, and last the rest of the page.
 * Of each entry only the hash is kept, so that a log of any length can be read.
 */
export async function verifyLedgerStream(lines, vkey, { crypto = ownCrypto } = {}) {
  const report = new Report();
  const read = await report.check('entries', async () => {
    const leaves = [];
    let first;
    let page;
    for await (const line of lines) {
      if (page !== undefined) leaves.push(await requireRow(crypto, page, first + leaves.length));
      page = parseLine(line);
      first ??= page.seq;
    }
    const from = requireSize(page?.from_seq, 'from_seq of the last line');
    need(leaves.length === 0 || page.from_seq === first, 'from_seq is not the first entry');
    need(requireSize(page.next_seq, 'next_seq') === from + BigInt(leaves.length), 'next_seq is not the end');
    return { page, leaves };
  });
  return rangeResult(crypto, report, { ...read, vkey });
}

/** Of a seal: beside a page they would look verified and are not looked at. */
const NOT_OF_A_PAGE = ['entry', 'attestation_id', 'claim', 'observations', 'disclosed', 'inclusion', 'proof'];

async function rangeResult(crypto, report, { page, leaves, vkey }) {
  const checkpoint = await report.check('checkpoint_signature', () => openCheckpoint(crypto, page?.checkpoint, vkey));
  if (leaves === undefined || checkpoint === undefined) return report.result();
  await report.check('range_proof', async () => {
    const foreign = NOT_OF_A_PAGE.find((name) => Object.hasOwn(page, name));
    need(foreign === undefined, `the page has ${foreign}, which is of a seal and not verified here`);
    const { size, root } = checkpoint;
    const { left, right } = requireObject(page.range_proof, 'range_proof');
    need(requireSize(page.tree_size, 'tree_size') === size, 'tree_size is not that of the checkpoint');
    need(BigInt(page.next_seq) <= size, 'the page ends beyond the log');
    const sides = { left: parseHashes(left, 'a left hash'), right: parseHashes(right, 'a right hash') };
    const computed = await pageRoot(crypto, { from: BigInt(page.from_seq), leaves, size, ...sides });
    need(sameBytes(computed, root), 'entries and range proof do not hash to the signed root');
  });
  return report.result({ checkpoint });
}

/** Verifies that the log of a remembered checkpoint is a prefix of a newer one; `hashes` as /api/astralock/sth gives. */
export async function verifyConsistency({ older, newer, hashes }, vkey, { crypto = ownCrypto } = {}) {
  const report = new Report();
  const first = await report.check('older_checkpoint', () => openCheckpoint(crypto, older, vkey));
  const second = await report.check('newer_checkpoint', () => openCheckpoint(crypto, newer, vkey));
  if (first === undefined || second === undefined) return report.result();
  await report.check('consistency', () => {
    need(first.origin === second.origin, 'the checkpoints are of two logs');
    return requireConsistency(crypto, first, second, parseHashes(hashes, 'a hash of the proof'));
  });
  return report.result({ older: first, newer: second });
}

const RECEIPT_TYPE = /^avouch\.(?:verdict|amh|wallet|lease)-receipt\.v1$/;

/** Key list as /.well-known/avouch-keys.json gives it, or public keys in base64. */
function receiptKeyOf(keys, { kid, signer_pubkey: publicKey }) {
  const list = requireList(keys, 'the keys', 10_000);
  return list.find((key) =>
    typeof key === 'string' ? key === publicKey : key?.public_key === publicKey && (key.kid ?? kid) === kid,
  );
}

const POINTER = /^(?:\/(?:[^/~]|~[01])+){1,4}$/;
const MOST_POINTERS = 64;
/** Said by the receipt too: they are compared with it and not hashed. */
const SAID_TWICE = ['kind', 'sandbox'];

const pointerTo = (name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON Pointers (RFC 6901) of what a receipt signs of its answer. */
function requireCovers(covers) {
  const pointers = typeof covers === 'string' ? [covers] : requireList(covers, 'covers', MOST_POINTERS);
  need(pointers.length > 0 && new Set(pointers).size === pointers.length, 'covers is empty or names a part twice');
  for (const pointer of pointers) need(POINTER.test(requireText(pointer, 'covers', 256)), 'covers is not of pointers');
  return pointers;
}

function requireValue(answer, pointer) {
  const names = pointer.slice(1).split('/');
  return names.reduce((at, escaped) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    need(isObject(at) && Object.hasOwn(at, name), `the answer lacks ${pointer}, which the receipt covers`);
    return at[name];
  }, answer);
}

/** The parts of an answer that nobody signed. */
function uncovered(value, covered, at = '') {
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = at + pointerTo(name);
    if (covered.includes(here) || here === '/receipt') return [];
    const isInPart = covered.some((pointer) => pointer.startsWith(`${here}/`));
    return isInPart && isObject(inner) ? uncovered(inner, covered, here) : [here];
  });
}

/** Refuses unless the answer is the one that the receipt signs; gives what it does not sign. */
async function requireAnswer(crypto, answer, receipt) {
  requireObject(answer, 'the answer');
  const isOwn = !Object.hasOwn(answer, 'receipt') || canonicalJson(answer.receipt) === canonicalJson(receipt);
  need(isOwn, 'the answer holds another receipt');
  for (const name of SAID_TWICE) {
    need(!Object.hasOwn(answer, name) || answer[name] === receipt[name], `${name} is not that of the receipt`);
  }
  const pointers = requireCovers(receipt.covers);
  const values = pointers.map((pointer) => requireValue(answer, pointer));
  const text = canonicalJson(typeof receipt.covers === 'string' ? values[0] : values);
  need(receipt.result_sha256 === hex(await crypto.sha256(bytesOf(text))), 'the answer is not the one that was signed');
  return uncovered(answer, [...pointers, ...SAID_TWICE.map(pointerTo)]);
}

/** What the checks of a receipt come to. Only the request may be left out of something valid. */
function receiptOutcome(checks, answer) {
  const okOf = (wanted) => checks.find(({ name }) => name === wanted)?.ok;
  if (checks.some(({ ok }) => ok === false)) return 'invalid';
  if (okOf('key_published') !== true) return 'signer_not_known';
  if (answer === undefined) return 'answer_not_given';
  return okOf('result_sha256') === true ? 'valid' : 'answer_not_covered';
}

/**
 * Verifies a receipt and the `answer` that it came with: the whole JSON, of which the receipt says what it signs. `request`
 * ({ method, path, query }) is what you had asked. `keys` come from a source that the receipt does not come from. A
 * receipt of a sandbox is refused unless `sandbox` says that you expect one. `valid` is true only for the outcome
 * `valid`: a given key signed this answer, and the request too where you gave one.
 */
export async function verifyReceipt(receipt, { answer, request, keys, sandbox = false, crypto = ownCrypto } = {}) {
  const report = new Report();
  const result = (more = {}) => {
    const outcome = receiptOutcome(report.checks, answer);
    return { ...report.result(), valid: outcome === 'valid', outcome, ...more };
  };
  const signed = await report.check('signature', async () => {
    const { signature, ...rest } = requireObject(receipt, 'the receipt');
    need(RECEIPT_TYPE.test(requireText(rest.type, 'type', 64)), 'type is not that of a receipt');
    const publicKey = parseHash(rest.signer_pubkey, 'signer_pubkey');
    const bytes = parseBase64(signature, 'the signature');
    need(bytes.length === 64, 'the signature is not 64 bytes');
    const isSigned = await crypto.verifyEd25519(publicKey, bytesOf(canonicalJson(rest)), bytes);
    need(isSigned, 'the receipt is not signed by its signer_pubkey');
    return rest;
  });
  if (signed === undefined) return result();
  if (keys === undefined) report.skip('key_published', 'no keys were given: anybody may have signed');
  else {
    await report.check('key_published', () =>
      need(receiptKeyOf(keys, signed) !== undefined, 'the signing key is none of the given keys'),
    );
  }
  let unsigned;
  if (answer === undefined) report.skip('result_sha256', 'no answer was given');
  else if (signed.covers === undefined) report.skip('result_sha256', 'the receipt does not say what it signs');
  else {
    const whole = { ...signed, signature: receipt.signature };
    unsigned = await report.check('result_sha256', () => requireAnswer(crypto, answer, whole));
  }
  if (request === undefined) report.skip('request_sha256', 'no request was given');
  else {
    await report.check('request_sha256', async () => {
      const digest = hex(await crypto.sha256(bytesOf(canonicalJson(request))));
      need(signed.request_sha256 === digest, 'the receipt is of another request');
    });
  }
  await report.check('sandbox', () => {
    need(typeof signed.sandbox === 'boolean', 'the receipt does not say whether it is of a sandbox');
    need(
      signed.sandbox === sandbox,
      signed.sandbox ? 'the receipt is of a sandbox' : 'the receipt is not of a sandbox',
    );
  });
  return result({ receipt: signed, ...(unsigned !== undefined && { uncovered: unsigned }) });
}

/**
 * Verifies a COSE receipt (RFC 9942): with `entry` (its bytes) that the log has it, with `root` (32 bytes that you kept)
 * that the log only grew since. `keys` are the bytes of /.well-known/scitt-keys or raw keys in base64, from a source that
 * the receipt does not come from. `issuer` and `subject` (the origin of the log) are what the receipt must name; one that
 * is left out is not compared. `size` and `at` are only what it says: its signature covers the root and the names.
 */
export async function verifyCoseReceipt(bytes, { keys, issuer, subject, crypto = ownCrypto, ...question } = {}) {
  const report = new Report();
  const receipt = await report.check('form', () => parseCoseReceipt(bytes, question));
  if (receipt === undefined) return report.result();
  const { header, kid, log, size, at, signature } = receipt;
  for (const [name, wanted, named] of [
    ['issuer', issuer, log.iss],
    ['log', subject, log.sub],
  ]) {
    if (wanted === undefined) report.skip(name, `no ${name} was asked about`);
    else await report.check(name, () => need(wanted === named, `the receipt names the ${name} ${shown(named)}`));
  }
  const key = await report.check('key', () => requireCoseKey(crypto, keys, kid));
  const root = await report.check('path', () => coseRoot(crypto, receipt, question));
  await report.check('signature', async () => {
    need(key !== undefined && root !== undefined, 'it cannot be checked without key and root');
    const signed = bytesOf([0x84, 0x6a], 'Signature1', cborBytes(header), [0x40], cborBytes(root));
    const isGood = signature.length === 64 && (await crypto.verifyEd25519(key, signed, signature));
    need(isGood, 'the signature is not that of the key over this root');
  });
  return report.result({ log, size, at, ...(root !== undefined && { root }) });
}

/** Whether an object in the text of JSON has a member twice: of the two, readers may see different ones. */
export function hasRepeatedMembers(text) {
  const plain = text.replace(/\\./g, '').replace(/"[^"]*"/g, '');
  const written = plain.split(':').length - 1;
  let read = 0;
  const seen = [JSON.parse(text)];
  for (const value of seen) {
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) read += inner.length;
    for (const one of inner) seen.push(one);
  }
  return read !== written;
}

const USAGE = [
  'node avouch-verify.mjs <seal.json | file.tlog-proof | page.json> --vkey <key of the log>',
  'node avouch-verify.mjs --cose <receipt> --key <scitt-keys> (--entry <file> | --root <hex>) [--issuer <url>] [--log <origin>]',
];
const FILE_OPTIONS = ['--vkey'];
const COSE_OPTIONS = ['--key', '--entry', '--root', '--issuer', '--log'];

/** What the file is, checked; undefined for one of another kind. */
async function verifyFile(text, vkeys) {
  if (text.startsWith('c2sp.org/tlog-proof@v1\n')) return verifyTlogProof(text, vkeys);
  const json = JSON.parse(text);
  need(!hasRepeatedMembers(text), 'it has a member twice');
  if (json?.range_proof !== undefined) return verifyLedgerPage(json, vkeys);
  return wholeAnswer(json)?.entry === undefined ? undefined : verifySealAnswer(json, vkeys);
}

/** Names and values of the options in turn; undefined where a name is not known or a value is missing. */
function optionPairs(options, known) {
  const pairs = Array.from({ length: Math.ceil(options.length / 2) }, (_, i) => options.slice(2 * i, 2 * i + 2));
  return pairs.every(({ 0: name, length }) => known.includes(name) && length === 2) ? pairs : undefined;
}

/** The values of the options by name; undefined where one is unknown, repeated, missing or too much. */
function coseOptions(options) {
  const pairs = optionPairs(options, COSE_OPTIONS);
  const values = Object.fromEntries(pairs ?? []);
  const { '--key': key, '--entry': entry, '--root': root } = values;
  const isOnce = Object.keys(values).length === pairs?.length;
  const isRoot = root === undefined || /^[0-9a-f]{64}$/i.test(root);
  return isOnce && isRoot && key !== undefined && (entry === undefined) !== (root === undefined) ? values : undefined;
}

async function coseLines(file, options, readFileSync) {
  const values = coseOptions(options);
  if (file === undefined || values === undefined) return { code: 2, lines: USAGE };
  const { '--key': key, '--entry': entry, '--root': root, '--issuer': issuer, '--log': subject } = values;
  const result = await verifyCoseReceipt(readFileSync(file), {
    keys: readFileSync(key),
    issuer,
    subject,
    ...(entry === undefined
      ? { root: Uint8Array.from(root.match(/../g), (byte) => parseInt(byte, 16)) }
      : { entry: readFileSync(entry) }),
  });
  return summary(result, result.log && `Verified: log ${shown(result.log.sub)} of ${shown(result.log.iss)}.`);
}

async function vkeyLines(file, options, readFileSync) {
  const vkeys = (optionPairs(options, FILE_OPTIONS) ?? []).map(([, vkey]) => vkey);
  if (file === undefined || vkeys.length === 0) return { code: 2, lines: USAGE };
  const result = await verifyFile(readFileSync(file, 'utf8'), vkeys);
  if (result === undefined) return { code: 2, lines: [`${file} has no entry, proof or ledger page.`, ...USAGE] };
  return summary(result, 'Verified.');
}

function summary({ valid, checks }, verified) {
  const words = new Map([
    [true, 'ok'],
    [false, 'FAILED'],
    [null, 'not checked'],
  ]);
  const lines = checks.map(({ name, ok, detail }) => `${words.get(ok)}  ${name}${detail ? `: ${detail}` : ''}`);
  return { code: valid ? 0 : 1, lines: [...lines, valid ? verified : 'Verification failed.'] };
}

/** As a command: prints each check. Ends with 0 where all hold, 1 where one fails and 2 where nothing could be checked. */
async function command(args, { readFileSync }) {
  const isCose = args[0] === '--cose';
  const [file, ...options] = isCose ? args.slice(1) : args;
  try {
    return await (isCose ? coseLines : vkeyLines)(file, options, readFileSync);
  } catch (error) {
    return { code: 2, lines: [`${file} could not be read: ${error.message}`] };
  }
}

// Node alone has a script that was started; elsewhere, and where another script was, nothing happens.
const started = globalThis.process?.argv?.[1]?.split(/[\\/]/).pop();
if (started !== undefined && import.meta.url.split('/').pop() === encodeURIComponent(started)) {
  const host = globalThis.process;
  const { code, lines } = await command(host.argv.slice(2), host.getBuiltinModule('node:fs'));
  for (const line of lines) console.log(line);
  host.exitCode = code;
}
