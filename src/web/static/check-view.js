// @ts-check
// Shows what a check found, step by step, in words and colours; text goes in as text only.

/** @typedef {import('./proof.js').Outcome} Outcome */

/** @param {string} tag @param {string} className @param {...(Node | string)} children */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** @param {boolean | null} ok */
function resultBadge(ok) {
  if (ok === null) return element('span', 'badge', 'Not checked');
  return element('span', `badge badge-${ok ? 'good' : 'bad'}`, ok ? 'Passed' : 'Failed');
}

/** @param {string} text */
function hash(text) {
  return element('code', 'hash', text);
}

/** @param {string} kind @param {boolean} valid */
function headline(kind, valid) {
  if (kind === 'unknown') return 'This is not a file we can check.';
  return valid ? `Verified. Your browser checked every step of this ${kind}.` : `Verification failed for this ${kind}.`;
}

/** @param {Element} target @param {Outcome} outcome */
export function show(target, { kind, valid, steps, path, id, says, unsigned = [] }) {
  const verdict = element('p', '', says ?? headline(kind, valid));
  const notice = element('div', `notice notice-${valid ? 'good' : 'bad'}`, verdict);
  notice.setAttribute('data-verdict', valid ? 'good' : 'bad');
  const list = element('ol', 'check-steps');
  for (const { name, ok, words, detail } of steps) {
    const step = element(
      'li',
      '',
      resultBadge(ok),
      ' ',
      words,
      ...(detail === undefined ? [] : [element('span', 'hint', ` ${detail}`)]),
    );
    step.setAttribute('data-step', name);
    list.append(step);
  }
  target.replaceChildren(notice, list);
  if (unsigned.length > 0) target.append(element('p', 'hint', 'Not signed: ', hash(unsigned.join(' '))));
  if (id !== undefined) target.append(element('p', 'hint', 'Id computed from the bytes: ', hash(id)));
  if (path !== undefined && path.length > 0) target.append(pathOf(path));
}

/** @param {readonly { left: string, right: string, hash: string }[]} path */
function pathOf(path) {
  const list = element('ol', 'hashes');
  for (const { left, right, hash: own } of path) {
    list.append(element('li', '', 'SHA-256(01 ', hash(left), ' ', hash(right), ') = ', hash(own)));
  }
  const root = element('summary', '', `From leaf to root: ${path.length} hashes computed in this browser`);
  return element('details', '', root, list);
}

/** @param {Element} target @param {string} words */
export function showFault(target, words) {
  const notice = element('div', 'notice notice-warn', element('p', '', words));
  notice.setAttribute('data-verdict', 'unchecked');
  target.replaceChildren(notice);
}

export const NO_CRYPTO =
  'Nothing was checked, because WebCrypto needs https or localhost. Use the command below instead.';

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
