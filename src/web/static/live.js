// @ts-check
// Loads the live part of the page again whenever its stream says that something changed.
const SOON_MS = 60;
const REFRESH_MS = 15_000;

const region = /** @type {HTMLElement | null} */ (document.querySelector('[data-live]'));
const state = document.querySelector('[data-live-state]');
let isLoading = false;
let isStale = false;

/** @param {string} word @param {string} tone */
function say(word, tone) {
  if (state === null) return;
  state.textContent = word;
  state.className = `badge badge-${tone}`;
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
  if (fresh !== null && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes);
}

if (region !== null) {
  const source = new EventSource(region.dataset['live'] ?? '');
  source.addEventListener('open', () => {
    say('Live', 'good');
    void load();
  });
  source.addEventListener('error', () => say('Reconnecting…', 'warn'));
  for (const name of (region.dataset['liveEvents'] ?? '').split(' ')) source.addEventListener(name, () => void load());
  // Leases end and marks fade without an event.
  setInterval(() => document.visibilityState === 'visible' && void load(), REFRESH_MS);
}
