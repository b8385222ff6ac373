/**
 * Opens a `<dialog>` as a modal one and closes it with the component. Escape leads to `onclose`, so that the address, which
 * says what is open, changes first; what bubbles up from within, such as a file chooser that was left, does not.
 */
export function modal(dialog: HTMLDialogElement, onclose: () => void) {
  let close = onclose;
  const cancel = (event: Event): void => {
    if (event.target !== dialog) return;
    event.preventDefault();
    close();
  };
  dialog.addEventListener('cancel', cancel);
  dialog.showModal();
  return {
    update: (changed: () => void) => (close = changed),
    destroy: () => {
      dialog.removeEventListener('cancel', cancel);
      dialog.close();
    },
  };
}
