// @ts-check
// What every page gains where script runs: copy buttons, times that stay true, menus.
import { enlivenSearch } from './search.js';
import { lengthText, relativeText, titleText } from './times.js';

const COPIED_MS = 1600;
const TIMES_MS = 30_000;
const LANGUAGE = 'lang';
const SIGNED_IN = 'signed-in';

/** @param {ParentNode} root */
function prepare(root) {
  for (const time of root.querySelectorAll('time[data-when], time[data-countdown]')) {
    const at = Date.parse(time.getAttribute('datetime') ?? '');
    if (!Number.isNaN(at)) time.setAttribute('title', titleText(at));
  }
  chooseLanguage(root, remembered());
}

/** @param {HTMLElement} button */
function textFor(button) {
  const { copyValue, copy: target } = button.dataset;
  if (copyValue !== undefined) return copyValue;
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

/** Says something to readers of the screen. @param {string} text */
function announce(text) {
  let region = document.getElementById('announcements');
  if (region === null) {
    region = document.createElement('div');
    region.id = 'announcements';
    region.className = 'visually-hidden';
    region.setAttribute('aria-live', 'polite');
    document.body.append(region);
  }
  region.textContent = text;
}

/** @param {HTMLElement} button */
async function copyFor(button) {
  const worked = await copy(textFor(button));
  button.textContent = worked ? 'Copied' : 'Select and copy';
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}

function refreshTimes() {
  const now = Date.now();
  for (const time of document.querySelectorAll('time[data-when]')) {
    const at = Date.parse(time.getAttribute('datetime') ?? '');
    if (!Number.isNaN(at)) time.textContent = relativeText(at, now);
  }
}

function refreshCountdowns() {
  for (const time of document.querySelectorAll('time[data-countdown]:not([data-ended])')) {
    const leftMs = Date.parse(time.getAttribute('datetime') ?? '') - Date.now();
    time.textContent = lengthText(leftMs);
    if (leftMs > 0) continue;
    time.setAttribute('data-ended', '');
    time.dispatchEvent(new CustomEvent('countdown:end', { bubbles: true }));
  }
}

function remembered() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

/** @param {ParentNode} root @param {string | null} language */
function chooseLanguage(root, language) {
  if (language === null) return;
  for (const input of root.querySelectorAll('input[data-language]'))
    if (input instanceof HTMLInputElement && input.dataset['language'] === language) input.checked = true;
}

/** Public pages are the same for everybody: the dashboard leaves a note for them, and the sign-in page removes it. */
function showSignedIn() {
  try {
    if (document.querySelector('.dashboard') !== null) localStorage.setItem(SIGNED_IN, 'yes');
    if (document.querySelector('.sign-in[aria-current]') !== null) localStorage.removeItem(SIGNED_IN);
    if (localStorage.getItem(SIGNED_IN) === null) return;
    for (const link of document.querySelectorAll('[data-sign-in]')) link.textContent = 'Dashboard';
  } catch {
    // Where nothing can be stored, “Sign in” leads to the dashboard too.
  }
}

/** @param {Element | null} except */
function closeMenus(except) {
  for (const menu of document.querySelectorAll('details[name="menu"][open]'))
    if (menu !== except) menu.removeAttribute('open');
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest('[data-copy], [data-copy-value]');
  if (button instanceof HTMLElement) void copyFor(button);
  closeMenus(target?.closest('details[name="menu"]') ?? null);
});

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    const open = document.querySelector('details[name="menu"][open] > summary');
    closeMenus(null);
    if (open instanceof HTMLElement) open.focus();
  }
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  const opensSearch = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  const field = [...document.querySelectorAll('.site-search input, .side-search input')].find((input) =>
    input.checkVisibility(),
  );
  if (!opensSearch || !(field instanceof HTMLElement)) return;
  event.preventDefault();
  field.focus();
});

document.addEventListener('change', (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.dataset['language'] === undefined) return;
  try {
    localStorage.setItem(LANGUAGE, input.dataset['language']);
  } catch {
    // A browser that keeps nothing shows the first tab next time.
  }
  chooseLanguage(document, input.dataset['language']);
});

// Forms that only filter need no button where script runs.
document.addEventListener('change', (event) => {
  const form = event.target instanceof Element ? event.target.closest('form[data-submit-on-change]') : null;
  if (form instanceof HTMLFormElement) form.requestSubmit();
});

// Parts that htmx or a live list brings later.
for (const name of ['htmx:after:swap', 'page:changed']) document.addEventListener(name, () => prepare(document));
prepare(document);
showSignedIn();
enlivenSearch();
// The list of pages is longer than the window.
document.querySelector('.docs-wide [aria-current]')?.scrollIntoView({ block: 'nearest' });
const focused = document.querySelector('[data-focus]');
if (focused instanceof HTMLElement) focused.focus();
setInterval(refreshTimes, TIMES_MS);
setInterval(refreshCountdowns, 1000);
