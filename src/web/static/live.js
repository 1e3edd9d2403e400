// @ts-check
// Loads the live part of the page again whenever its stream says that something changed.
const SOON_MS = 60;
const REFRESH_MS = 15_000;
/** The board shows the same for a second while nothing happens. */
const AFTER_END_MS = 1_200;
/** Further down than this a reader would lose the place. */
const SCROLLED_PX = 200;

const region = /** @type {HTMLElement | null} */ (document.querySelector('[data-live]'));
const showButton = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-live-show]'));
let isLoading = false;
let isStale = false;
let stateWord = '';
let stateTone = '';
/** What the server sent last: copy buttons and times change in the page. */
let served = '';
/** @type {Element | null} */
let waiting = null;

/** @param {string} word @param {string} tone */
function say(word, tone) {
  [stateWord, stateTone] = [word, tone];
  showState();
}

function showState() {
  const state = document.querySelector('[data-live-state]');
  if (state === null || stateWord === '') return;
  state.textContent = stateWord;
  state.className = `badge badge-${stateTone}`;
}

async function load() {
  if (region === null) return;
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    await new Promise((resolve) => setTimeout(resolve, SOON_MS));
    await loadOnce(region).catch(() => undefined);
  }
  isLoading = false;
}

/** @param {HTMLElement} part */
async function loadOnce(part) {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(part.id);
  if (fresh === null || fresh.innerHTML === served) return;
  const added = part.hasAttribute('data-live-held') && window.scrollY > SCROLLED_PX ? addedRows(part, fresh) : 0;
  if (added > 0) return hold(fresh, added);
  put(part, fresh);
}

/** @param {Element} part */
function rowLinks(part) {
  return [...part.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')?.getAttribute('href') ?? '');
}

/** How many rows of the new list are not in the one that is shown. @param {Element} part @param {Element} fresh */
function addedRows(part, fresh) {
  const shown = new Set(rowLinks(part));
  return rowLinks(fresh).filter((link) => !shown.has(link)).length;
}

/** Says how many are new, and shows them on demand. @param {Element} fresh @param {number} added */
function hold(fresh, added) {
  waiting = fresh;
  if (showButton === null) return;
  const isFull = added === rowLinks(fresh).length;
  showButton.textContent = `${added}${isFull ? ' or more' : ''} new ${added === 1 ? 'entry' : 'entries'}`;
  showButton.hidden = false;
}

/** What was open stays open, and what had the focus keeps it. @param {HTMLElement} part @param {Element} fresh */
function put(part, fresh) {
  served = fresh.innerHTML;
  waiting = null;
  if (showButton !== null) showButton.hidden = true;
  const opened = [...part.querySelectorAll('details')].map(({ open }) => open);
  const focused = focusable(part).indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const count = focusable(part).length;
  part.replaceChildren(...fresh.childNodes);
  const details = [...part.querySelectorAll('details')];
  if (details.length === opened.length) for (const [n, one] of details.entries()) one.open = opened[n] ?? false;
  showState();
  document.dispatchEvent(new CustomEvent('page:changed'));
  const again = focusable(part);
  if (focused !== -1 && again.length === count) again[focused]?.focus({ preventScroll: true });
}

/** @param {Element} part @returns {HTMLElement[]} */
function focusable(part) {
  return [...part.querySelectorAll('a[href], button, summary, [tabindex]')].filter((one) => one instanceof HTMLElement);
}

if (region !== null) {
  const source = new EventSource(region.dataset['live'] ?? '');
  source.addEventListener('open', () => {
    say('Live', 'good');
    void load();
  });
  source.addEventListener('error', () => say('Reconnecting…', 'warn'));
  for (const name of (region.dataset['liveEvents'] ?? '').split(' ')) source.addEventListener(name, () => void load());
  showButton?.addEventListener('click', () => {
    if (waiting === null) return;
    put(region, waiting);
    region.scrollIntoView({ block: 'start' });
  });
  // A lease that ends on the page is gone for the service a moment later.
  region.addEventListener('countdown:end', () => {
    void load();
    setTimeout(() => void load(), AFTER_END_MS);
  });
  // Marks fade without an event.
  setInterval(() => document.visibilityState === 'visible' && void load(), REFRESH_MS);
}
