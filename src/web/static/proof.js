// @ts-check
// What the pages check in the browser: pure, so that the same functions run in the tests. `verifier` is the module
// verify/avouch-verify.mjs, handed in because its address carries a hash.

/** @typedef {{ name: string, ok: boolean | null, words: string, detail?: string, values?: readonly (readonly [string, string])[] }} Step */
/** @typedef {{ left: string, right: string, hash: string }} Node */
/** @typedef {{ kind: string, valid: boolean, steps: Step[], path?: Node[], id?: string, title?: string, says?: string, unsigned?: readonly string[] }} Outcome */
/** @typedef {{ sha256(bytes: Uint8Array): Promise<Uint8Array>, verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> }} Crypto */
/** @typedef {{ vkeys: readonly string[], receiptKeys: readonly unknown[], sandbox: boolean }} Trust */
/** @typedef {Record<string, any>} Json */
/** @typedef {typeof import('../../../verify/avouch-verify.mjs')} Verifier */

/** A title for a check that passed and one for a check that failed. @type {Readonly<Record<string, readonly [string, string]>>} */
const TITLES = {
  entry: ['Entry is canonical JSON', 'Entry is not canonical JSON'],
  entries: ['All entries on the page are readable', 'An entry on the page is not readable'],
  id_matches_entry: ['Entry hash matches the id', 'Entry hash does not match the id'],
  answer_matches_entry: ['Response matches the entry', 'Response does not match the entry'],
  bundle_root: ['Observations match the bundle root', 'Observations do not match the bundle root'],
  claim_commitment: ['Claim matches the entry', 'Claim does not match the entry'],
  claim_in_clear: ['Claim is in the entry itself', 'Claim is not the one in the entry'],
  claim_sha256: ['Claim digest is correct', 'Claim digest is wrong'],
  disclosure_seed: ['Disclosure seed is valid', 'Disclosure seed is missing or invalid'],
  disclosure: ['Disclosed fields match the seal', 'Disclosed fields do not match the seal'],
  observation_commitments: ['Observations match the seal', 'Observations do not match the seal'],
  checkpoint_signature: ['Checkpoint signed by the log (Ed25519)', 'Checkpoint signature is invalid'],
  inclusion: ['Entry is included under the signed root', 'Entry is not included under the signed root'],
  range_proof: ['Entries are included under the signed root', 'Entries are not included under the signed root'],
  proof_file: ['Proof file matches', 'Proof file does not match'],
  older_checkpoint: ['Older checkpoint signed by the log', 'Older checkpoint signature is invalid'],
  newer_checkpoint: ['Newer checkpoint signed by the log', 'Newer checkpoint signature is invalid'],
  consistency: ['Log only grew; nothing was changed or removed', 'Log was changed or entries were removed'],
  signature: ['Receipt signature is valid (Ed25519)', 'Receipt signature is invalid'],
  key_published: ['Signed by a key published here', 'Signed by a key not published here'],
  result_sha256: ['Response matches the receipt', 'Response does not match the receipt'],
  request_sha256: ['Request matches the receipt', 'Request does not match the receipt'],
  sandbox: ['Sandbox mark is correct', 'Sandbox mark is wrong'],
  readable: ['File type recognised', 'File type not recognised'],
};

/** What is said of a check that was not done: its pass title would say too much. @type {Readonly<Record<string, string>>} */
const NOT_DONE = {
  id_matches_entry: 'Id not checked',
  claim_commitment: 'Claim not checked',
  key_published: 'Signing key not checked',
  result_sha256: 'Response not checked',
  request_sha256: 'Request not checked',
};

/** What a receipt is about, and the response that comes with it, by its kind. @type {Readonly<Record<string, readonly [string, string] | undefined>>} */
const RESPONSES = {
  order: ['order', 'GET /api/v1/orders/{order_id}'],
  task: ['task', 'GET /api/tasks/{task_id}, with the receipt key'],
  lease: ['lease', '/v1/claim, to the claim that returned this receipt'],
  capability: ['result', 'GET /capabilities/executions/{execution_id}'],
  calculation: ['calculation', 'GET /api/v1/calculations/{calculation_id}'],
};

/** @param {readonly Step[]} steps @param {boolean} ok */
function countWords(steps, ok) {
  const count = steps.filter((step) => step.ok === ok).length;
  return `${count} of ${steps.length} ${steps.length === 1 ? 'check' : 'checks'}`;
}

/** How many checks passed, and how many could not be done. @param {readonly Step[]} steps */
export function passedWords(steps) {
  const undone = steps.filter(({ ok }) => ok === null).length;
  return `${countWords(steps, true)} passed in your browser${undone === 0 ? '' : `, ${undone} could not be done`}`;
}

/** How many checks failed. @param {readonly Step[]} steps */
export function failedWords(steps) {
  return countWords(steps, false);
}

/** A receipt without its response. @param {unknown} kind */
function alone(kind) {
  const [thing, call] = RESPONSES[String(kind)] ?? ['response', 'the call'];
  return {
    title: 'Signature valid, rest not checked',
    says: `This service signed the receipt, and nothing in it was changed. The ${thing} itself was not checked: the text has only the receipt. To check both, paste the whole response of ${call}.`,
  };
}

/** What a receipt comes to that is neither valid nor refused. @type {Readonly<Record<string, string | undefined>>} */
const SAYS = {
  answer_not_covered:
    'Signature valid, but this older receipt does not say what it signs. The response is not covered.',
  signer_not_known: 'Signature valid, but the signer is unknown.',
};

const NO_SEED = 'A public claim comes without its seed. The service checked it, not your browser.';
const OPEN_CLAIM =
  'The entry is in the log, but the claim in this file is not tied to it: the file has no disclosure seed. Anybody could have written the claim.';
/** What the service says of an entry, and nothing signs. */
const COMMENTS = ['valid', 'found', 'checks', 'means', 'does_not_mean', 'recomputed_at'];
const NO_CLAIM = 'The claim is not public. Anyone with the claim and its seed can check it on /verify.';

/** @param {string} name @param {boolean | null} ok */
function titleOf(name, ok) {
  const [pass, fail] = TITLES[name] ?? [name, name];
  if (ok === null) return NOT_DONE[name] ?? 'Not checked';
  return ok ? pass : fail;
}

/** True where the browser can hash and verify: only on https and on localhost. */
export function canCheck() {
  return globalThis.crypto?.subtle !== undefined;
}

/** @returns {Crypto} */
function webCrypto() {
  const { subtle } = globalThis.crypto;
  return {
    sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', /** @type {any} */ (bytes))),
    async verifyEd25519(publicKey, message, signature) {
      const [key, signed, said] = /** @type {any[]} */ ([publicKey, signature, message]);
      const imported = await subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
      return subtle.verify({ name: 'Ed25519' }, imported, signed, said);
    },
  };
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Remembers the inner nodes (RFC 6962: 0x01, left, right) that were hashed on the way. @param {Node[]} nodes */
function remembering(nodes) {
  const crypto = webCrypto();
  return {
    ...crypto,
    /** @param {Uint8Array} bytes */
    async sha256(bytes) {
      const digest = await crypto.sha256(bytes);
      if (bytes.length === 65 && bytes[0] === 1) {
        nodes.push({ left: hex(bytes.subarray(1, 33)), right: hex(bytes.subarray(33)), hash: hex(digest) });
      }
      return digest;
    },
  };
}

/** The nodes from a leaf to the root, in their order. @param {string} leaf @param {readonly Node[]} nodes */
export function pathFrom(leaf, nodes) {
  /** @type {Node[]} */
  const path = [];
  for (let at = leaf; ; at = path.at(-1)?.hash ?? '') {
    const next = nodes.find(({ left, right }) => left === at || right === at);
    if (next === undefined || path.includes(next)) return path;
    path.push(next);
  }
}

/** @param {string} kind @param {import('../../../verify/avouch-verify.mjs').Result} result @returns {Outcome} */
function outcome(kind, { valid, checks }) {
  const steps = checks.map(({ detail, ...check }) => ({
    ...check,
    words: titleOf(check.name, check.ok),
    ...(detail !== undefined && { detail: sentence(detail) }),
  }));
  return { kind, valid, steps };
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

/** What a step computed, for those who open it. @param {Outcome} shown @param {string} name @param {readonly (readonly [string, unknown])[]} values */
function tell({ steps }, name, values) {
  const step = steps.find((one) => one.name === name);
  if (step !== undefined) step.values = values.map(([label, value]) => [label, String(value)]);
}

/** @param {string} detail @returns {Outcome} */
function unreadable(detail) {
  const step = { name: 'readable', ok: false, words: titleOf('readable', false), detail };
  return { kind: 'unknown', valid: false, steps: [step] };
}

/** Whether the entry says its claim itself. @param {unknown} base64 */
function hasClearClaim(base64) {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(String(base64)))).claim_commitment === null;
  } catch {
    return false;
  }
}

/** @param {string} base64 */
function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/**
 * An entry with its proof, as seal and verify answer it: hashes the leaf, follows the path, checks the signature.
 * @param {Verifier} verifier @param {Json} answer @param {readonly string[]} vkeys @param {string} [asked] the id that was asked for
 * @returns {Promise<Outcome>}
 */
export async function checkEntry(verifier, answer, vkeys, asked) {
  /** @type {Node[]} */
  const nodes = [];
  // A claim that is public comes without its seed: it is then the service's word, and not proven here.
  const ignoreClaim = answer?.['disclosure_seed'] === undefined && !hasClearClaim(answer?.['entry']);
  const crypto = remembering(nodes);
  const result = await verifier.verifySealAnswer(answer, vkeys, { attestationId: asked, ignoreClaim, crypto });
  const shown = outcome('entry', result);
  const claim = shown.steps.find(({ name, ok }) => name === 'claim_commitment' && ok === null);
  if (claim !== undefined) claim.detail = answer['claim'] ? NO_SEED : NO_CLAIM;
  const ids = await idsOf(answer, crypto);
  if (ids === null) return shown;
  tellEntry(shown, answer, ids, asked);
  if (result.attestationId === undefined) return shown;
  return { ...shown, id: result.attestationId, path: pathFrom(ids.leaf, nodes) };
}

/** The leaf hash of the bytes; null where there are none. @param {Json} answer @param {Crypto} crypto */
async function idsOf(answer, crypto) {
  try {
    const bytes = bytesOf(answer['entry']);
    return { bytes, leaf: hex(await crypto.sha256(Uint8Array.of(0, ...bytes))) };
  } catch {
    return null;
  }
}

/** @param {Outcome} shown @param {Json} answer @param {{ bytes: Uint8Array, leaf: string }} ids @param {string} [asked] */
function tellEntry(shown, answer, { bytes, leaf }, asked) {
  const id = shown.steps.find(({ name }) => name === 'id_matches_entry');
  tell(shown, 'entry', [['Bytes', bytes.length]]);
  tell(shown, 'id_matches_entry', [
    ['Id in the file', asked ?? answer['attestation_id']],
    ['Hash of the bytes', leaf],
  ]);
  // Both values are shown: the sentence of the verifier would repeat them.
  if (id?.ok === false) delete id.detail;
  tell(shown, 'checkpoint_signature', [['Signed text', String(answer['checkpoint']).split('\n\n')[0]]]);
  tell(shown, 'inclusion', [
    ['Leaf hash', leaf],
    ['Hashes in the path', answer['inclusion']?.hashes?.length ?? 0],
  ]);
}

/**
 * Two heads of the log and the proof between them.
 * @param {Verifier} verifier @param {{ older: unknown, newer: unknown, hashes: unknown }} heads @param {readonly string[]} vkeys
 * @returns {Promise<Outcome>}
 */
export async function checkHeads(verifier, heads, vkeys) {
  return outcome('pair of checkpoints', await verifier.verifyConsistency(heads, vkeys, { crypto: webCrypto() }));
}

/** The size that a checkpoint states on its second line; null for a text that is none. @param {string} note */
export function sizeOf(note) {
  const size = /^[^\n]+\n(0|[1-9][0-9]{0,14})\n/.exec(note)?.[1];
  return size === undefined ? null : Number(size);
}

/**
 * Any file that the service gives out: a .tlog-proof, the answer of a seal or of verify, a bundle, a page of the
 * ledger, a receipt or an answer with one.
 * @param {Verifier} verifier @param {string} text @param {Trust} trust @returns {Promise<Outcome>}
 */
export async function checkFile(verifier, text, { vkeys, receiptKeys, sandbox }) {
  if (text.startsWith('c2sp.org/tlog-proof@v1\n')) return checkProof(verifier, text, vkeys);
  const json = parsed(text);
  if (json === null) return unreadable('The file is neither a proof file nor a JSON object.');
  if (verifier.hasRepeatedMembers(text)) return unreadable('The JSON contains a member more than once.');
  // Before all else: a proof in the same file says nothing of a receipt and its answer.
  if (json['receipt'] !== undefined) return checkReceipt(verifier, json['receipt'], { receiptKeys, sandbox }, json);
  if (typeof json['type'] === 'string' && json['signer_pubkey'] !== undefined) {
    return checkReceipt(verifier, json, { receiptKeys, sandbox });
  }
  if (json['range_proof'] !== undefined) {
    return outcome('ledger page', await verifier.verifyLedgerPage(json, vkeys, { crypto: webCrypto() }));
  }
  const whole = verifier.wholeAnswer(json);
  if (typeof whole['entry'] === 'string' && whole['inclusion'] !== undefined) {
    return ofStranger(await checkEntry(verifier, whole, vkeys), json);
  }
  if (typeof json['proof'] === 'string') return checkProof(verifier, json['proof'], vkeys);
  return unreadable('The JSON contains no entry with a proof, no ledger page and no receipt.');
}

/** A file may come from anybody: with a claim that nothing ties to its entry it is not verified. @param {Outcome} shown @param {Json} json @returns {Outcome} */
function ofStranger(shown, json) {
  const isOpen =
    Boolean(json['claim']) && shown.steps.some(({ name, ok }) => name === 'claim_commitment' && ok === null);
  const unsigned = COMMENTS.filter((name) => name in json).map((name) => `/${name}`);
  return { ...shown, unsigned, ...(isOpen && shown.valid && { valid: false, says: OPEN_CLAIM }) };
}

/** @param {Verifier} verifier @param {string} text @param {readonly string[]} vkeys @returns {Promise<Outcome>} */
async function checkProof(verifier, text, vkeys) {
  const result = await verifier.verifyTlogProof(text, vkeys, { crypto: webCrypto() });
  return { ...outcome('proof file', result), ...(result.attestationId !== undefined && { id: result.attestationId }) };
}

/**
 * @param {Verifier} verifier @param {unknown} receipt @param {Pick<Trust, 'receiptKeys' | 'sandbox'>} trust
 * @param {Json} [answer] @returns {Promise<Outcome>}
 */
async function checkReceipt(verifier, receipt, { receiptKeys, sandbox }, answer) {
  const keys = /** @type {any} */ (receiptKeys);
  const checked = await verifier.verifyReceipt(receipt, { answer, keys, sandbox, crypto: webCrypto() });
  const words =
    checked.outcome === 'answer_not_given'
      ? alone(/** @type {Json} */ (receipt)['kind'])
      : { says: SAYS[checked.outcome] };
  return { ...outcome('receipt', checked), ...words, unsigned: checked.uncovered ?? [] };
}

/** @param {string} text @returns {Json | null} */
function parsed(text) {
  try {
    const json = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : null;
  } catch {
    return null;
  }
}
