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
  if (ok === null) return element('span', 'badge', 'not checked');
  return element('span', `badge badge-${ok ? 'good' : 'bad'}`, ok ? 'good' : 'wrong');
}

/** @param {string} text */
function hash(text) {
  return element('code', 'hash', text);
}

/** @param {Element} target @param {Outcome} outcome */
export function show(target, { kind, valid, steps, path, id, says, unsigned = [] }) {
  const holds = valid ? `This ${kind} holds: it was checked here, step by step.` : `This ${kind} does NOT hold.`;
  const verdict = element('p', '', says === undefined ? holds : `${says}.`);
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
  if (unsigned.length > 0) target.append(element('p', 'hint', 'Nobody signed these parts: ', hash(unsigned.join(' '))));
  if (id !== undefined) target.append(element('p', 'hint', 'Id by the bytes: ', hash(id)));
  if (path !== undefined && path.length > 0) target.append(pathOf(path));
}

/** @param {readonly { left: string, right: string, hash: string }[]} path */
function pathOf(path) {
  const list = element('ol', 'hashes');
  for (const { left, right, hash: own } of path) {
    list.append(element('li', '', 'SHA-256(01 ', hash(left), ' ', hash(right), ') = ', hash(own)));
  }
  const root = element('summary', '', `From the leaf to the root: ${path.length} hashes made in this browser`);
  return element('details', '', root, list);
}

/** @param {Element} target @param {string} words */
export function showFault(target, words) {
  const notice = element('div', 'notice notice-warn', element('p', '', words));
  notice.setAttribute('data-verdict', 'unchecked');
  target.replaceChildren(notice);
}

export const NO_CRYPTO =
  'This browser offers no WebCrypto here (it needs https or localhost), so nothing was checked. The command line below checks the same.';

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
    const words = vkeys.includes(own) ? 'The same key.' : 'NOT a key of this page. Checked with your key alone.';
    if (says !== null) says.textContent = own === '' ? 'Checked with the keys of the page.' : words;
    again();
  });
}
