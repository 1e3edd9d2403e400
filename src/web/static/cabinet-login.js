// @ts-check
// Moves the token of a sign-in link from the address into the form, so that neither history nor a copied address has it.
// Counts down to when another email can be sent.

const SECOND_MS = 1000;
const token = location.hash.slice(1);
const place = document.getElementById('by-link');
const input = place?.querySelector('input[name="t"]');
if (/^[\w-]{43}$/.test(token) && place !== null && input instanceof HTMLInputElement) {
  input.value = token;
  history.replaceState(null, '', location.pathname + location.search);
  place.hidden = false;
  const other = document.getElementById('by-email');
  if (other !== null) other.hidden = true;
  place.querySelector('button')?.focus();
}

/** @param {HTMLButtonElement} button @param {string} label @param {number} seconds */
function wait(button, label, seconds) {
  button.disabled = seconds > 0;
  if (seconds <= 0) return void (button.textContent = label);
  button.textContent = `${label} (in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`;
  setTimeout(() => wait(button, label, seconds - 1), SECOND_MS);
}

for (const button of document.querySelectorAll('button[data-wait]')) {
  if (button instanceof HTMLButtonElement) wait(button, button.textContent ?? '', Number(button.dataset['wait']));
}
