const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** The element with the focus, all its ancestors, innermost first, and its table. */
interface Focus {
  path: [Element, ...Element[]];
  table: Element | null;
}

/** The last element with the focus, unless a click on the background took it away. */
let last: Focus | null = null;
/** Has the focus in place of an element that is disabled while it works, until that is done or the user moves on. */
let standIn: { heir: Element; owner: Element } | null = null;

const isAtWork = ([element]: Focus['path']) => element.isConnected && element.matches(':disabled');

function focusOf(element: Element): Focus {
  const path: Focus['path'] = [element];
  for (let one = element.parentElement; one; one = one.parentElement) path.push(one);
  return { path, table: element.closest('[role=grid]') };
}

const isLost = () => document.activeElement === null || document.activeElement === document.body;

function canTake(element: Element): element is HTMLElement {
  return (
    element.isConnected && element.matches(focusable) && !element.matches(':disabled') && element.checkVisibility()
  );
}

/** Moves the focus to its element, or the row that took its row's place, an ancestor, the dialog, or the content. */
function heirsOf({ path, table }: Focus): Element[] {
  const [element, ...holders] = path;
  const rowInPlace = element.isConnected ? [] : (table?.querySelectorAll('tbody tr[tabindex="0"]') ?? []);
  const inDialogs = [...document.querySelectorAll('dialog[open]')].reverse();
  return [
    element,
    ...rowInPlace,
    ...holders,
    ...inDialogs.flatMap((dialog) => [...dialog.querySelectorAll(focusable)]),
    ...document.querySelectorAll('#content'),
  ];
}

function restore(focus: Focus): void {
  for (const heir of heirsOf(focus)) {
    if (!canTake(heir)) continue;
    // An element behind a dialog cannot be focused.
    heir.focus({ preventScroll: true });
    if (isLost()) continue;
    if (isAtWork(focus.path)) standIn = { heir, owner: focus.path[0] };
    return;
  }
}

/** Remembers the focus. Returns a function that restores it, to the element or its replacement. */
export function rememberFocus(): () => void {
  const focus = isLost() ? last : focusOf(document.activeElement as Element);
  return () => {
    if (focus) restore(focus);
    else if (isLost()) document.getElementById('content')?.focus({ preventScroll: true });
  };
}

/**
 * Leads by an arrow past the filters to the rows: from the content, where links and the palette leave the focus, and from nowhere,
 * where it is on a loaded page.
 */
function leadToRows(event: KeyboardEvent): void {
  const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
  const isElsewhere = target !== document.body && (target as Element).id !== 'content';
  if (key !== 'ArrowDown' || isElsewhere || altKey || ctrlKey || metaKey || shiftKey) return;
  if (document.querySelector('dialog[open]')) return;
  const row = document.querySelector<HTMLElement>('#content [role=grid] tbody tr[tabindex="0"]');
  if (!row) return;
  event.preventDefault();
  row.focus();
}

/** Keeps the focus when its element leaves any part of the page. */
export function keepFocus(): void {
  document.addEventListener('keydown', leadToRows);
  document.addEventListener('focusin', ({ target }) => {
    last = focusOf(target as Element);
    standIn = null;
  });
  document.addEventListener('focusout', ({ target }) => {
    const element = target as Element;
    queueMicrotask(() => {
      if (isLost() && element.isConnected && !element.matches(':disabled')) last = null;
    });
  });
  const observer = new MutationObserver(() => {
    // A button that is disabled while it works gets the focus back when it is done.
    if (last && isLost() && !isAtWork(last.path)) restore(last);
    if (standIn && canTake(standIn.owner)) standIn.owner.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
