// @ts-check
// The demos of the home page: a race of two claims, a proof that this browser checks, a payment with test money.
// @ts-expect-error -- served beside this file
import * as verifier from './avouch-verify.js';
import { canCheck, checkEntry, checkFile, failedWords, passedWords } from './proof.js';

/** @typedef {import('./proof.js').Outcome} Outcome */

const LIVE_MS = 5000;
const PAUSE_MS = 5000;
/** The checks that the card names, in its order. */
const SHOWN = ['id_matches_entry', 'inclusion', 'checkpoint_signature'];

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement | null} */
function find(root, selector) {
  return root.querySelector(selector);
}

/** @param {string} tag @param {string} className @param {...(Node | string)} children */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** @param {string} tone @param {string} text */
function badge(tone, text) {
  return element('span', `badge badge-${tone}`, text);
}

/** @param {Element} card @param {string} text */
function say(card, text) {
  const says = find(card, '[data-says]');
  if (says !== null) says.textContent = text;
}

/** The part of a page of ours that has this id. @param {Response} answer @param {string} id */
async function partOf(answer, id) {
  return new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(id);
}

async function refreshLive() {
  const old = document.getElementById('live');
  if (old === null || document.visibilityState !== 'visible') return;
  const answer = await fetch('/', { headers: { accept: 'text/html' } });
  const fresh = answer.ok ? await partOf(answer, 'live') : null;
  if (fresh !== null) old.replaceWith(fresh);
}

/** @param {HTMLElement} card @param {() => Promise<void>} work */
async function unlessFails(card, work) {
  try {
    await work();
  } catch {
    say(card, 'The service did not answer. Try again.');
  }
}

/** @param {HTMLElement} card @param {HTMLFormElement} form */
async function race(card, form) {
  const button = /** @type {HTMLButtonElement} */ (find(form, 'button'));
  button.disabled = true;
  setTimeout(() => (button.disabled = false), PAUSE_MS);
  const answer = await fetch('/demo/race', {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) {
    const wait = answer.headers.get('retry-after');
    say(card, wait === null ? 'The race could not run. Try again.' : `Wait ${wait} s, then run it again.`);
    return;
  }
  const fresh = await partOf(answer, 'race');
  const result = fresh === null ? null : find(fresh, '.demo-result');
  if (result === null) return;
  find(card, '.demo-result')?.replaceChildren(...result.childNodes);
  button.textContent = 'Run the race again';
  say(card, '');
}

/** A digest inside an entry: with another digit there it is still an entry, but not this one. */
const DIGEST = /"[0-9a-f]{64}"/;

/** The entry with one bit turned over: of a digit in its first digest, or else of its last byte. @param {string} base64 */
function flipped(base64) {
  const text = atob(base64);
  const from = text.search(DIGEST);
  const digit = from === -1 ? -1 : text.slice(from).search(/[0-9]/);
  const at = digit === -1 ? text.length - 1 : from + digit;
  return btoa(`${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`);
}

/** @param {HTMLElement} card @param {boolean} flips */
async function verify(card, flips) {
  if (!canCheck()) {
    say(card, 'not checked: WebCrypto needs https or localhost');
    return;
  }
  const { entry: id = '', vkeys = '[]' } = card.dataset;
  const answer = await fetch(`/api/attest/verify/${id}`, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error('no entry');
  const seal = await answer.json();
  const bytes = flips ? { ...seal, entry: flipped(seal.entry) } : seal;
  showChecks(card, await checkEntry(verifier, bytes, JSON.parse(vkeys), id), flips);
}

/** @param {HTMLElement} card @param {Outcome} outcome @param {boolean} flips */
function showChecks(card, { valid, steps }, flips) {
  const failed = steps.filter(({ ok }) => ok === false);
  const named = SHOWN.flatMap((name) => steps.filter((step) => step.name === name));
  const lines = [...failed, ...named.filter(({ ok }) => ok)].slice(0, SHOWN.length);
  const list = find(card, '[data-steps]');
  list?.replaceChildren(
    ...lines.map(({ ok, words }) =>
      element('li', '', badge(ok ? 'good' : 'bad', ok ? 'Passed' : 'Failed'), ' ', words),
    ),
  );
  card.dataset['verdict'] = valid ? 'good' : 'bad';
  const subject = flips ? 'with one bit flipped: ' : '';
  say(
    card,
    valid ? `${subject}verified, ${passedWords(steps)}` : `${subject}verification failed, ${failedWords(steps)}`,
  );
}

/** @param {HTMLElement} card @param {HTMLFormElement} form */
async function pay(card, form) {
  const button = /** @type {HTMLButtonElement} */ (find(form, 'button'));
  button.disabled = true;
  say(card, 'Paying on the sandbox chain…');
  try {
    const answer = await fetch('/playground/pay', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const { outcome, detail } = await answer.json();
    if (!answer.ok || outcome?.status !== 200) {
      say(card, detail ?? 'The payment did not go through. Nothing was charged.');
      return;
    }
    await showPaid(card, outcome);
    say(card, '');
  } finally {
    button.disabled = false;
  }
}

/** @param {HTMLElement} card @param {{ status: number, paid_from: string, answer: any }} outcome */
async function showPaid(card, { status, paid_from: from, answer }) {
  const list = find(card, '[data-steps]');
  const [price] = list?.children ?? [];
  if (list === null || price === undefined) return;
  const { status: verdict, name } = answer.result;
  list.replaceChildren(
    price,
    element('li', '', badge('info', 'paid'), ` from ${from.slice(0, 6)}…${from.slice(-4)}`),
    element('li', '', badge('good', String(status)), ` ${verdict}${name ? `: ${name}` : ''}`),
    element('li', '', ...(await receiptLine(answer))),
  );
}

/** @param {object} answer */
async function receiptLine(answer) {
  if (!canCheck()) return ['Receipt: not checked, WebCrypto needs https or localhost'];
  const published = await (await fetch('/.well-known/avouch-keys.json')).json();
  const trust = { vkeys: [], receiptKeys: published.keys, sandbox: published.sandbox };
  const { valid } = await checkFile(verifier, JSON.stringify(answer), trust);
  return [badge(valid ? 'good' : 'bad', valid ? 'valid' : 'invalid'), ' receipt, checked in your browser'];
}

/** @param {string} id @param {(card: HTMLElement) => void} start */
function onCard(id, start) {
  const card = document.getElementById(id);
  if (card !== null) start(card);
}

onCard('race', (card) => {
  const form = /** @type {HTMLFormElement | null} */ (find(card, 'form'));
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void unlessFails(card, () => race(card, form));
  });
});
onCard('verify-demo', (card) => {
  find(card, '[data-verify]')?.addEventListener('click', () => void unlessFails(card, () => verify(card, false)));
  find(card, '[data-flip]')?.addEventListener('click', () => void unlessFails(card, () => verify(card, true)));
});
onCard('pay', (card) => {
  const form = /** @type {HTMLFormElement | null} */ (find(card, 'form'));
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void unlessFails(card, () => pay(card, form));
  });
});
setInterval(() => void refreshLive().catch(() => undefined), LIVE_MS);
