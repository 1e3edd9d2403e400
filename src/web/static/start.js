// @ts-check
// Saves the new key as a file. It is made here, so that the key is in no address.

for (const button of document.querySelectorAll('button[data-download]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([button.dataset['text'] ?? ''], { type: 'text/plain' }));
    link.download = button.dataset['download'] ?? '';
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
