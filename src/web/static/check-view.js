// @ts-check
// Shows what a check found: the verdict, failed checks first, and what each check computed. Text goes in as text only.

import { failedWords, passedWords } from './proof.js';

/** @typedef {import('./proof.js').Outcome} Outcome */
/** @typedef {import('./proof.js').Step} Step */

/** @param {string} tag @param {string} className @param {...(Node | string)} children */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** What each check compares. @type {Readonly<Record<string, string>>} */
const ABOUT = {
  entry: 'The bytes must be JSON in its one canonical spelling (RFC 8785).',
  entries: 'The bytes of every entry must be canonical JSON and hash to its id.',
  id_matches_entry: 'The id is the SHA-256 of the bytes in base32. Another byte gives another id.',
  answer_matches_entry: 'Everything that the file repeats must be what the signed bytes say.',
  bundle_root:
    'Observations are what registers answered. All of them must hash to the bundle root in the entry. Most entries have none.',
  claim_commitment: 'The claim is what was sealed. With its seed it must hash to the commitment in the entry.',
  claim_in_clear: 'The claim in the file must be the claim in the signed bytes.',
  claim_sha256: 'The claim must hash to its digest.',
  disclosure_seed: 'The seed ties the claim to the entry.',
  disclosure: 'Each disclosed field and its salt must hash to its commitment.',
  observation_commitments: 'Each observation must hash to its commitment in the entry.',
  checkpoint_signature: 'An Ed25519 signature over size and root, by a key of this log.',
  inclusion: 'The entry and the hashes of its Merkle path must give the signed root.',
  range_proof: 'All entries of the page together must give the signed root.',
  proof_file: 'The file must be complete and prove the same entry.',
  older_checkpoint: 'An Ed25519 signature over size and root, by a key of this log.',
  newer_checkpoint: 'An Ed25519 signature over size and root, by a key of this log.',
  consistency:
    'One list of hashes must lead to both signed roots: then the older log is the beginning of the newer one.',
  signature: 'An Ed25519 signature over the whole receipt.',
  key_published: 'The key that signed must be one that this service publishes.',
  result_sha256: 'The parts of the response that the receipt names in covers must hash to its result_sha256.',
  request_sha256: 'The request must hash to the digest in the receipt.',
  sandbox: 'A sandbox receipt is not valid in production, and the other way round.',
  readable: 'We read: seal and verify responses, .tlog-proof files, ledger pages, receipts.',
};

/** What a failure comes to, by the kind of file. @type {Readonly<Record<string, string>>} */
const MEANS = {
  entry: 'the entry was changed after it was sealed, or the proof belongs to another entry.',
  'proof file': 'the file was changed after it was created, or belongs to another entry or log.',
  'ledger page': 'the page was changed, or is not from this log.',
  receipt: 'the receipt or the response was changed, or another key signed it.',
  'pair of checkpoints': 'one of the two was changed, or the log was rewritten between them.',
};

const STATES = { true: ['good', 'Passed'], false: ['bad', 'Failed'], null: ['neutral', 'Not checked'] };

/** @param {boolean | null} ok */
function resultMark(ok) {
  const [tone, word] = STATES[/** @type {'true'} */ (String(ok))];
  return element('span', `check-mark check-${tone}`, element('span', 'visually-hidden', `${word}: `));
}

/** @param {string} text */
function hash(text) {
  return element('code', 'hash', text);
}

/** @param {Step} step */
function stepItem({ name, ok, words, detail, values = [] }) {
  const summary = element('summary', '', resultMark(ok), element('span', '', words));
  const rows = values.map(([label, value]) => element('p', 'check-value', `${label} `, hash(value)));
  const hint = detail === undefined ? [] : [element('p', '', detail)];
  const about = element('p', 'hint', ABOUT[name] ?? '');
  const opened = element('details', '', summary, about, ...hint, ...rows);
  opened.toggleAttribute('open', ok === false);
  const item = element('li', '', opened);
  item.setAttribute('data-step', name);
  item.setAttribute('data-ok', String(ok));
  return item;
}

/** @param {readonly Step[]} steps */
function stepList(steps) {
  return element('ol', 'check-steps', ...steps.map(stepItem));
}

/** @param {number} count @param {string} [more] */
function checks(count, more = '') {
  return `${count} ${more}${count === 1 ? 'check' : 'checks'}`;
}

/** @param {readonly Step[]} others */
function othersWords(others) {
  const passed = others.filter(({ ok }) => ok === true).length;
  return `${checks(passed, 'other ')} passed${passed === others.length ? '' : `, ${others.length - passed} could not be done`}`;
}

/** A receipt that signs only some of its file. @param {Pick<Outcome, 'kind' | 'unsigned'>} outcome */
function isOfPart({ kind, unsigned = [] }) {
  return kind === 'receipt' && unsigned.length > 0;
}

/** The headline and the sentence below it. @param {Outcome} outcome */
function wordsOf({ kind, valid, steps, title = 'Not fully verified', says, unsigned = [] }) {
  const failed = steps.filter(({ ok }) => ok === false).length;
  if (kind === 'unknown') return ['This is not a file we can check', steps[0]?.detail ?? ''];
  if (valid && isOfPart({ kind, unsigned })) {
    return [
      'Verified in part',
      `${passedWords(steps)}. What is listed below is not signed: it could have been changed.`,
    ];
  }
  if (valid) return ['Verified', `${passedWords(steps)}.`];
  if (failed === 0) return [title, says ?? ''];
  return [`Verification failed: ${failedWords(steps)}`, `What this means: ${MEANS[kind] ?? ''}`];
}

/** @param {Element} target @param {Outcome} outcome */
export function show(target, outcome) {
  const { kind, valid, steps, id, path = [], unsigned = [] } = outcome;
  const [title = '', sentence = ''] = wordsOf(outcome);
  const failed = steps.filter(({ ok }) => ok === false);
  const others = steps.filter(({ ok }) => ok !== false);
  const isFile = target.id === 'file-result' && kind !== 'unknown';
  const detected = isFile ? [element('span', 'check-kind', `Detected: ${kind}`)] : [];
  const entry = isFile && valid && id !== undefined ? [entryLink(id)] : [];
  const isWhole = valid && !isOfPart(outcome);
  say(target, isWhole ? 'good' : failed.length === 0 ? 'unchecked' : 'bad', title, sentence, ...detected);
  const more =
    failed.length === 0
      ? [stepList(others)]
      : others.length === 0
        ? [stepList(failed)]
        : [
            stepList(failed),
            element('details', 'check-others', element('summary', '', othersWords(others)), stepList(others)),
          ];
  const notSigned = unsigned.length === 0 ? [] : [element('p', 'hint', 'Not signed: ', hash(unsigned.join(' ')))];
  body(target).replaceChildren(...entry, ...more, ...notSigned, ...(path.length > 0 ? [pathOf(path)] : []));
}

/** Where the entry is that the file proves. @param {string} id */
function entryLink(id) {
  const link = element('a', '', 'See the entry in the log');
  link.setAttribute('href', `/log/${id}`);
  return element('p', '', link);
}

/** The list of checks lies outside of the live region: only the verdict is read out. @param {Element} target */
function body(target) {
  return /** @type {Element} */ (target.querySelector('.check-body'));
}

/** @param {Element} target @param {'good' | 'bad' | 'unchecked'} verdict @param {string} title @param {string} sentence @param {...Node} more */
function say(target, verdict, title, sentence, ...more) {
  const said = element('div', `verdict verdict-${verdict}`, element('p', 'verdict-title', title, ...more));
  said.append(element('p', '', sentence));
  said.setAttribute('data-verdict', verdict);
  /** @type {Element} */ (target.querySelector('.check-headline')).replaceChildren(said);
}

/** @param {readonly { left: string, right: string, hash: string }[]} path */
function pathOf(path) {
  const list = element('ol', 'hashes');
  for (const { left, right, hash: own } of path) {
    list.append(element('li', '', 'SHA-256(01 ', hash(left), ' ', hash(right), ') = ', hash(own)));
  }
  const root = element('summary', '', `Merkle path, ${path.length} hashes computed here`);
  const about = 'Each line hashes two neighbours. The last result is the root that the checkpoint signs.';
  return element('details', '', root, element('p', 'hint', about), list);
}

/** Neither green nor red: nothing was checked. @param {Element} target @param {string} sentence */
export function showFault(target, sentence) {
  say(target, 'unchecked', 'Not checked', sentence);
  body(target).replaceChildren();
}

export const NO_CRYPTO = 'WebCrypto needs https or localhost. Use the command below instead.';

/** The keys to check with: the one that the reader pasted, or else those of the page. @param {readonly string[]} vkeys */
export function keysToUse(vkeys) {
  const own = trustedKey();
  return own === '' ? vkeys : [own];
}

function trustedKey() {
  const field = document.querySelector('[data-own-key]');
  return field instanceof HTMLInputElement ? field.value.trim() : '';
}

/** Says whether the pasted key is one of the page, and checks again. @param {readonly string[]} vkeys @param {() => void} again */
export function onTrustedKeyInput(vkeys, again) {
  const field = document.querySelector('[data-own-key]');
  const says = document.querySelector('[data-own-key-says]');
  field?.addEventListener('input', () => {
    const own = trustedKey();
    const words = vkeys.includes(own)
      ? 'This key matches the page.'
      : 'This key is not on this page. Checked with your key only.';
    if (says !== null) says.textContent = own === '' ? 'Checked with the keys on this page.' : words;
    again();
  });
}
