// @ts-check
// What every page gains where script runs: copy buttons, times that stay true, dialogs, notices that leave, menus.
import { enlivenSearch } from './search.js';
import { lengthText, relativeText, titleText } from './times.js';

const COPIED_MS = 1600;
const TOAST_MS = 6000;
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

/** A page that asks first, shown in a dialog. @param {HTMLAnchorElement} link */
async function openDialog(link) {
  const answer = await fetch(link.href, { headers: { accept: 'text/html' } });
  const card = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('confirm');
  if (!answer.ok || card === null) {
    location.assign(link.href);
    return;
  }
  const dialog = document.createElement('dialog');
  dialog.className = 'sheet';
  dialog.setAttribute('aria-labelledby', 'confirm-title');
  dialog.append(card);
  dialog.addEventListener('close', () => {
    dialog.remove();
    link.focus();
  });
  document.body.append(dialog);
  prepare(dialog);
  dialog.showModal();
  const cancel = dialog.querySelector('[data-close]');
  if (cancel instanceof HTMLElement) cancel.focus();
}

/** A notice leaves by itself, and its words leave the address. @param {HTMLElement} toast */
function dismissLater(toast) {
  const address = new URL(location.href);
  for (const name of ['done', 'id']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
  const leave = () => {
    if (toast.matches(':hover, :focus-within')) setTimeout(leave, TOAST_MS);
    else toast.remove();
  };
  setTimeout(leave, TOAST_MS);
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
  const link = target?.closest('a[data-dialog]');
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (link instanceof HTMLAnchorElement && isPlain) {
    event.preventDefault();
    void openDialog(link);
  }
  const dialog = target?.closest('dialog');
  if (dialog && target?.closest('[data-close]')) {
    event.preventDefault();
    dialog.close();
  }
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
for (const toast of document.querySelectorAll('.toast')) if (toast instanceof HTMLElement) dismissLater(toast);
// The list of pages is longer than the window.
document.querySelector('.docs-wide [aria-current]')?.scrollIntoView({ block: 'nearest' });
const focused = document.querySelector('[data-focus]');
if (focused instanceof HTMLElement) focused.focus();
setInterval(refreshTimes, TIMES_MS);
setInterval(refreshCountdowns, 1000);

// Without script the page reloads.
const RELOAD = 'meta[name="reload-after"]';
let shown = '';

function refreshSoon() {
  const wait = document.querySelector(RELOAD);
  if (wait !== null) setTimeout(() => void refresh(), 1000 * Number(wait.getAttribute('content')));
}

/** Shows what has changed, until the page no longer asks for it; not while somebody fills in a form. */
async function refresh() {
  const main = document.querySelector('main');
  const fields = [...(main?.querySelectorAll('input:not([type="hidden"]), textarea') ?? [])];
  const isFilledIn = fields.some(
    (field) => field === document.activeElement || /** @type {HTMLInputElement} */ (field).value !== '',
  );
  const answer = isFilledIn
    ? undefined
    : await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (main !== null && answer?.ok === true) {
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const text = fresh.querySelector('main')?.innerHTML ?? '';
    if (text !== shown) {
      shown = text;
      document.title = fresh.title;
      main.replaceChildren(...(fresh.querySelector('main')?.childNodes ?? []));
      document.dispatchEvent(new CustomEvent('page:changed'));
    }
    if (fresh.querySelector(RELOAD) === null) document.querySelector(RELOAD)?.remove();
  }
  refreshSoon();
}
refreshSoon();
