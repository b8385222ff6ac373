import { place } from '../router.svelte.js';
import { confirm } from './confirm.svelte.js';

/** Asks whether to lose the input. */
export const mayLose = (loss = 'What you changed here is not saved, and is lost.'): Promise<boolean> =>
  confirm('Leave this?', loss, 'Leave');

/**
 * Asks whoever leaves the page, by a link, the history or the window, while something on it is unsaved. Use it where a
 * component begins.
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
