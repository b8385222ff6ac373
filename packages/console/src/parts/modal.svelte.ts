import { rememberFocus } from './focus.js';

/** The open modal dialogs, the topmost last: nothing outside that one can be reached, or is read out. */
export const modals = $state<HTMLDialogElement[]>([]);

/** Shows a dialog and those above it again, in their order, with the focus where it was. */
function showAgain(dialog: HTMLDialogElement): void {
  const focused = document.activeElement;
  for (const one of modals.slice(modals.indexOf(dialog))) {
    if (one.open) one.close();
    one.showModal();
  }
  if (focused instanceof HTMLElement && modals.at(-1)?.contains(focused)) focused.focus();
}

/**
 * Opens a `<dialog>` as a modal one and closes it with the component. Escape goes to `onclose`, so that the address, which
 * names the open dialog, changes first; events that bubble up from within, such as a cancelled file input, do not.
 */
export function modal(dialog: HTMLDialogElement, onclose: () => void) {
  let close = onclose;
  const giveBack = rememberFocus();
  const cancel = (event: Event): void => {
    if (event.target !== dialog) return;
    event.preventDefault();
    // Browsers send one key press to all dialogs that no click opened: it is meant for the topmost.
    if (modals.at(-1) === dialog) close();
  };
  /** A second Escape closes it without asking: a dialog that should go leaves the page, one that should stay is shown again. */
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
      // By now the dialog has left the page, and with it the element to which `close` would return the focus.
      giveBack();
    },
  };
}
