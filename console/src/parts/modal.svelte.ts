import { rememberFocus } from './focus.js';

/** The modal dialogs that are open, the topmost last: nothing outside it can be reached, or is read out. */
export const modals = $state<HTMLDialogElement[]>([]);

/** Shows a dialog and those above it again, in the order in which they stand, with the focus where it was. */
function showAgain(dialog: HTMLDialogElement): void {
  const focused = document.activeElement;
  for (const one of modals.slice(modals.indexOf(dialog))) {
    if (one.open) one.close();
    one.showModal();
  }
  if (focused instanceof HTMLElement && modals.at(-1)?.contains(focused)) focused.focus();
}

/**
 * Opens a `<dialog>` as a modal one and closes it with the component. Escape leads to `onclose`, so that the address, which
 * says what is open, changes first; what bubbles up from within, such as a file chooser that was left, does not.
 */
export function modal(dialog: HTMLDialogElement, onclose: () => void) {
  let close = onclose;
  const giveBack = rememberFocus();
  const cancel = (event: Event): void => {
    if (event.target !== dialog) return;
    event.preventDefault();
    // One press may be told to all dialogs that nobody's click opened: it is meant for the topmost.
    if (modals.at(-1) === dialog) close();
  };
  /** A second Escape closes it without asking: what is to go leaves the page, what stays is shown again. */
  const closed = (event: Event): void => {
    if (event.target !== dialog || dialog.open) return;
    const isTopmost = modals.at(-1) === dialog;
    showAgain(dialog);
    if (isTopmost) close();
  };
  dialog.addEventListener('cancel', cancel);
  dialog.addEventListener('close', closed);
  dialog.showModal();
  modals.push(dialog);
  return {
    update: (changed: () => void) => (close = changed),
    destroy: () => {
      dialog.removeEventListener('cancel', cancel);
      dialog.removeEventListener('close', closed);
      modals.splice(modals.indexOf(dialog), 1);
      dialog.close();
      // The dialog has left the page by now, and with it what `close` would give the focus back by.
      giveBack();
    },
  };
}
