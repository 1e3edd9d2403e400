// @ts-check
// Moves the token of a login link from the address into the form, so that neither history nor a copied address has it.

const token = location.hash.slice(1);
const place = document.getElementById('by-link');
const input = place?.querySelector('input[name="t"]');
if (/^[\w-]{43}$/.test(token) && place !== null && input instanceof HTMLInputElement) {
  input.value = token;
  history.replaceState(null, '', location.pathname);
  place.hidden = false;
  place.querySelector('button')?.focus();
}
