// @ts-check
// What pages of the dashboard gain where script runs: questions in dialogs, notices that leave.

const TOAST_MS = 6000;

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
  document.dispatchEvent(new CustomEvent('page:changed'));
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

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
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
});

for (const toast of document.querySelectorAll('.toast')) if (toast instanceof HTMLElement) dismissLater(toast);
