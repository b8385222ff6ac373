import { place } from '../router.svelte.js';
import { confirm } from './confirm.svelte.js';
import { texts } from '../texts/texts.js';

/** Asks whether to discard the input. */
const mayLose = (loss = texts.parts.whatYouChangedHereIs): Promise<boolean> =>
  confirm(texts.parts.leaveThis, loss, texts.parts.leave);

/**
 * Asks before the page is left, by a link, the history or the window, while something on it is unsaved. Call it when a
 * component is initialized.
 */
export function guardUnsaved(isChanged: () => boolean, loss: () => string | undefined = () => undefined): void {
  $effect(() => place.guard(() => !isChanged() || mayLose(loss())));
  $effect(() => {
    const hold = (event: Event): void => {
      if (isChanged()) event.preventDefault();
    };
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  });
}

interface Guarded {
  isChanged: boolean;
  loss: string | undefined;
  onclose: () => void;
}

/** Guards what a dialog holds, and returns how to close it: it asks first if that would lose something. */
export function guardedClose(guarded: () => Guarded): () => Promise<void> {
  guardUnsaved(
    () => guarded().isChanged,
    () => guarded().loss,
  );
  return async () => {
    const { isChanged, loss, onclose } = guarded();
    if (!isChanged || (await mayLose(loss))) onclose();
  };
}
