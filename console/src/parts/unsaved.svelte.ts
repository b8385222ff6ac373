import { place } from '../router.svelte.js';
import { confirm } from './confirm.svelte.js';

/** Asks whether what was entered is to be lost. */
export const mayLose = (loss = 'What you changed here is not saved, and is lost.'): Promise<boolean> =>
  confirm('Leave this?', loss, 'Leave');

/**
 * Has whoever leaves the page, by a link, the history or the window, asked while something on it is not saved. For use
 * where a component begins.
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
