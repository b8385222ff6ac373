/** The modal dialogs that are open, the topmost last: nothing outside it can be reached, or is read out. */
export const modals = $state<HTMLDialogElement[]>([]);

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
  modals.push(dialog);
  return {
    update: (changed: () => void) => (close = changed),
    destroy: () => {
      dialog.removeEventListener('cancel', cancel);
      modals.splice(modals.indexOf(dialog), 1);
      dialog.close();
    },
  };
}
