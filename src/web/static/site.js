// @ts-check
// Copy buttons: shown where script runs, and they say that they worked.

const SHOWN_MS = 1600;

/** @param {ParentNode} root */
function show(root) {
  for (const button of root.querySelectorAll('[data-copy][hidden]')) button.removeAttribute('hidden');
}

/** @param {HTMLElement} button */
function textFor(button) {
  const target = button.dataset['copy'];
  if (target) return document.getElementById(target)?.textContent ?? '';
  return button.parentElement?.querySelector('code')?.textContent ?? '';
}

/** Where the clipboard is closed (plain http): an old way that still works. @param {string} text */
function copyBySelection(text) {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const worked = document.execCommand('copy');
  area.remove();
  return worked;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** @param {HTMLElement} button */
async function copyFor(button) {
  const worked = await copy(textFor(button));
  button.textContent = worked ? 'Copied' : 'Select and copy';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SHOWN_MS);
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
  if (button instanceof HTMLElement) void copyFor(button);
});
// Parts that htmx brings later.
document.addEventListener('htmx:after:swap', () => show(document));
show(document);
