// @ts-check
// Shows what has changed on a page that asks for it. Without script the page reloads.

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
