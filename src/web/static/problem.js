// @ts-check
// A page of an error whose call may be repeated: the button opens when the time is over.

/** @param {HTMLAnchorElement} link */
function countDown(link) {
  const note = document.querySelector('[data-retry-note]');
  const href = link.href;
  let left = Number(link.dataset['retry']);
  if (!(left > 0)) return;
  link.removeAttribute('href');
  link.setAttribute('role', 'link');
  link.setAttribute('aria-disabled', 'true');
  const tick = () => {
    if (left > 0) {
      if (note) note.textContent = `enabled in ${left} s`;
      left -= 1;
      return;
    }
    clearInterval(timer);
    link.href = href;
    link.removeAttribute('role');
    link.removeAttribute('aria-disabled');
    if (!note) return;
    note.setAttribute('aria-live', 'polite');
    note.textContent = 'You can retry now.';
  };
  const timer = setInterval(tick, 1000);
  tick();
}

const link = document.querySelector('a[data-retry]');
if (link instanceof HTMLAnchorElement) countDown(link);
