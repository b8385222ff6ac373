/** What the open page is about, such as one order; an empty name where that is its screen. */
export const thing = $state({ name: '' });

/** Names what the page is about, for the line above it and the title of the tab, as long as the calling component is shown. */
export function nameThing(nameOf: () => string | undefined): void {
  $effect(() => {
    thing.name = nameOf() ?? '';
    return () => {
      thing.name = '';
    };
  });
}
