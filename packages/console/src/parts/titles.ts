/** Elements whose title comes from here, rather than from their component. */
const given = new WeakSet<HTMLElement>();

/** Shows the whole of a truncated text when it is pointed at. */
export function titleWhatIsCut(): void {
  document.addEventListener('pointerover', ({ target }) => {
    const cut = (target as Element).closest<HTMLElement>('.truncate');
    if (!cut || (cut.title !== '' && !given.has(cut))) return;
    given.add(cut);
    const isCut = cut.scrollWidth > cut.clientWidth;
    // Elements of long tables show one row after another.
    const title = isCut ? cut.innerText.trim() : '';
    if (cut.title !== title) cut.title = title;
  });
}
