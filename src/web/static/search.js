// @ts-check
// Results while somebody types in a search field of the frame: arrow keys move, Enter opens, Escape closes.

const WAIT_MS = 200;
const MAX_EACH = 4;
const MAX_PAGES = 3;

/** @typedef {{ label: string, note: string, path: string }} Hit */

/** What the service found, best first. @param {any} found @returns {Hit[]} */
function hitsOf(found) {
  const { match, pages, docs, operations, problems } = found;
  return [
    ...(match === null ? [] : [{ label: match.title, note: match.path, path: match.path }]),
    ...pages
      .slice(0, MAX_PAGES)
      .map((/** @type {any} */ hit) => ({ label: hit.title, note: hit.path, path: hit.path })),
    ...docs.slice(0, MAX_EACH).map((/** @type {any} */ hit) => ({
      label: hit.heading === '' ? hit.title : `${hit.title} › ${hit.heading}`,
      note: 'Docs',
      path: hit.path,
    })),
    ...operations.slice(0, MAX_EACH).map((/** @type {any} */ hit) => ({
      label: hit.summary,
      note: `${hit.method} ${hit.address}`,
      path: hit.path,
    })),
    ...problems
      .slice(0, MAX_EACH)
      .map((/** @type {any} */ hit) => ({ label: hit.code, note: hit.title, path: hit.path })),
  ];
}

/** @param {HTMLFormElement} form @param {number} number */
function enliven(form, number) {
  const input = form.querySelector('input[name="q"]');
  if (!(input instanceof HTMLInputElement)) return;
  const list = document.createElement('ul');
  list.id = `search-hits-${number}`;
  list.className = 'search-hits';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Search results');
  list.hidden = true;
  form.append(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');
  input.autocomplete = 'off';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let asked = '';
  let at = -1;

  const close = () => {
    list.hidden = true;
    at = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };

  /** @param {Hit[]} hits */
  const show = (hits) => {
    const items = hits.map(({ label, note, path }, index) => {
      const item = document.createElement('li');
      item.id = `${list.id}-${index}`;
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', 'false');
      item.dataset['path'] = path;
      const [name, hint] = [document.createElement('span'), document.createElement('span')];
      name.textContent = label;
      hint.textContent = note;
      item.append(name, hint);
      return item;
    });
    if (items.length === 0) {
      const none = document.createElement('li');
      none.className = 'search-none';
      none.setAttribute('role', 'option');
      none.setAttribute('aria-disabled', 'true');
      none.textContent = `No results for “${asked}”.`;
      items.push(none);
    }
    list.replaceChildren(...items);
    list.hidden = false;
    at = -1;
    input.setAttribute('aria-expanded', 'true');
    input.removeAttribute('aria-activedescendant');
  };

  const ask = async () => {
    const q = input.value.trim();
    asked = q;
    if (q.length < 2) return close();
    const answer = await fetch(`/search?${new URLSearchParams({ q })}`, { headers: { accept: 'application/json' } });
    if (answer.ok && q === asked) show(hitsOf(await answer.json()));
  };

  /** @param {number} step */
  const move = (step) => {
    const items = [...list.querySelectorAll('[data-path]')];
    if (items.length === 0) return;
    at = (at + step + items.length + (at === -1 && step < 0 ? 1 : 0)) % items.length;
    for (const [index, item] of items.entries()) {
      item.setAttribute('aria-selected', String(index === at));
      if (index === at) item.scrollIntoView({ block: 'nearest' });
    }
    input.setAttribute('aria-activedescendant', items[at]?.id ?? '');
  };

  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void ask().catch(close), WAIT_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      event.stopPropagation();
      event.preventDefault();
      close();
    }
    if (list.hidden) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    }
    const chosen = list.querySelector('[aria-selected="true"]');
    if (event.key === 'Enter' && chosen instanceof HTMLElement) {
      event.preventDefault();
      location.assign(chosen.dataset['path'] ?? '');
    }
  });
  // Before the field loses its focus, so that the list is still there.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const item = event.target instanceof Element ? event.target.closest('[data-path]') : null;
    if (item instanceof HTMLElement) location.assign(item.dataset['path'] ?? '');
  });
  input.addEventListener('blur', close);
}

export function enlivenSearch() {
  for (const [number, form] of document.querySelectorAll('form.site-search, form.docs-search').entries())
    if (form instanceof HTMLFormElement) enliven(form, number);
}
