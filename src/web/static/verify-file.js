// @ts-check
// Checks a file of the reader. After the page has loaded nothing is sent anywhere.
// @ts-expect-error -- served beside this file
import * as verifier from './avouch-verify.js';
import { keysToUse, NO_CRYPTO, onTrustedKeyInput, show, showFault } from './check-view.js';
import { canCheck, checkFile } from './proof.js';

const MAX_BYTES = 20_000_000;
const root = /** @type {HTMLElement | null} */ (document.querySelector('[data-check="file"]'));
const target = /** @type {HTMLElement} */ (document.getElementById('file-result'));

/** @type {string | null} */
let text = null;

async function check() {
  if (root === null || text === null) return;
  if (!canCheck()) return showFault(target, NO_CRYPTO);
  const trust = JSON.parse(root.dataset['trust'] ?? '{}');
  try {
    show(target, await checkFile(verifier, text, { ...trust, vkeys: keysToUse(trust.vkeys) }));
  } catch (error) {
    showFault(target, `The check broke off: ${error instanceof Error ? error.message : 'something failed'}.`);
  }
}

/** The reader asked for it: the answer comes into view. */
async function checkAndReveal() {
  await check();
  target.scrollIntoView({ block: 'nearest' });
}

/** @param {File | undefined} file */
async function take(file) {
  if (file === undefined) return;
  if (file.size > MAX_BYTES) return showFault(target, 'The file is larger than 20 MB. Use the command below.');
  text = await file.text();
  await checkAndReveal();
}

if (root !== null) {
  const input = /** @type {HTMLInputElement} */ (root.querySelector('[data-file]'));
  const drop = /** @type {HTMLElement} */ (root.querySelector('[data-drop]'));
  const area = /** @type {HTMLTextAreaElement} */ (root.querySelector('[data-text]'));
  const button = /** @type {HTMLButtonElement} */ (root.querySelector('[data-check-text]'));
  input.addEventListener('change', () => void take(input.files?.[0]));
  button.addEventListener('click', () => {
    text = area.value;
    void checkAndReveal();
  });
  // The whole window takes a file: one that misses a small target would replace the page.
  const mark = (/** @type {boolean} */ isOver) => drop.classList.toggle('is-over', isOver);
  window.addEventListener('dragover', (event) => {
    event.preventDefault();
    mark(true);
  });
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && mark(false));
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    mark(false);
    void take(event.dataTransfer?.files[0]);
  });
  onTrustedKeyInput(JSON.parse(root.dataset['trust'] ?? '{}').vkeys ?? [], () => void check());
  if (area.hasAttribute('data-example')) {
    text = area.value;
    void check();
  }
}
