// @ts-check
// Entry and head pages: asks the public interface for the bytes and checks them here.
// @ts-expect-error -- served beside this file
import * as verifier from './avouch-verify.js';
import { keysToUse, NO_CRYPTO, onTrustedKeyInput, show, showFault } from './check-view.js';
import { canCheck, checkEntry, checkHeads, sizeOf } from './proof.js';

const root = /** @type {HTMLElement | null} */ (document.querySelector('[data-check]'));

/** @param {string} path */
async function ask(path) {
  const answer = await fetch(path, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`The service returned status ${answer.status}`);
  return answer.json();
}

/** @param {string} id */
function target(id) {
  return /** @type {Element} */ (document.getElementById(id));
}

/** @param {string} id @param {() => Promise<import('./proof.js').Outcome>} check */
async function run(id, check) {
  if (!canCheck()) return showFault(target(id), NO_CRYPTO);
  try {
    show(target(id), await check());
  } catch (error) {
    showFault(target(id), `${error instanceof Error ? error.message : 'Something failed'}.`);
  }
}

if (root !== null) {
  /** @type {string[]} */
  const vkeys = JSON.parse(root.dataset['vkeys'] ?? '[]');
  const { id = '', older = '', newer = '' } = root.dataset;
  const checks = {
    entry: () =>
      run('entry-result', async () =>
        checkEntry(verifier, await ask(`/api/attest/verify/${id}`), keysToUse(vkeys), id),
      ),
    heads: () =>
      run('heads-result', async () => {
        const heads = await ask(`/log/heads?older=${older}&newer=${newer}`);
        const pair = { older: heads.older.checkpoint, newer: heads.newer.checkpoint, hashes: heads.hashes };
        return checkHeads(verifier, pair, keysToUse(vkeys));
      }),
  };
  const check = checks[/** @type {'entry' | 'heads'} */ (root.dataset['check'])];
  onTrustedKeyInput(vkeys, () => void check());
  void check();
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-check-kept]'));
  button?.addEventListener('click', () => void checkKept(vkeys));
}

/** @param {readonly string[]} vkeys */
function checkKept(vkeys) {
  const text = /** @type {HTMLTextAreaElement} */ (document.querySelector('[data-kept]')).value;
  const note = `${text.trim()}\n`;
  return run('kept-result', async () => {
    const size = sizeOf(note);
    if (size === null) throw new Error('The text is not a checkpoint');
    const head = await ask(`/api/astralock/sth?first=${size}`);
    return checkHeads(
      verifier,
      { older: note, newer: head.checkpoint, hashes: head.consistency.hashes },
      keysToUse(vkeys),
    );
  });
}
