import { problemOf } from '../api/problem.js';

export interface ToastLink {
  href: string;
  text: string;
}

export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  /** The id of the failed request in the service's log. */
  requestId?: string | undefined;
  /** Since when the service has not answered; undefined of other failures. */
  unansweredSince?: number | undefined;
  /** How many times in a row it was said. */
  count: number;
  /** Takes back what was done. */
  undo?: (() => unknown) | undefined;
  /** Where what was done is seen, outside the console. */
  link?: ToastLink | undefined;
}

const shownMs = 6000;
/** Longer, so that one can decide. */
const undoableMs = 12_000;
let lastId = 0;

/**
 * Failures that nobody has dismissed, and the newest success, in their order: one is shown at a time, in a corner, and read out by
 * screen readers.
 */
export const toasts = $state<Toast[]>([]);

export function dismiss(id: number): void {
  const at = toasts.findIndex((toast) => toast.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

/** Reports a success; failures stay until somebody dismisses them. */
export function say(text: string, kind: Toast['kind'] = 'done', requestId?: string): void {
  show({ text, kind, requestId });
}

/** Reports a success that one can take back for a while. */
export function sayUndoable(text: string, undo: () => unknown): void {
  show({ text, kind: 'done', undo });
}

/** Reports a success that can be looked at elsewhere. */
export function sayWithLink(text: string, link: ToastLink): void {
  show({ text, kind: 'done', link });
}

function show({ text, kind, requestId, unansweredSince, undo, link }: Omit<Toast, 'id' | 'count'>): void {
  const id = ++lastId;
  const isReplaced = (toast: Toast) => toast.kind === kind && (kind === 'done' || toast.text === text);
  const before = toasts.find(isReplaced);
  const count = before?.text === text ? before.count + 1 : 1;
  if (before) dismiss(before.id);
  toasts.push({ id, text, kind, requestId, unansweredSince, count, undo, link });
  if (kind === 'done') setTimeout(() => dismiss(id), undo || link ? undoableMs : shownMs);
}

/** Reports the reason for a failure, with the id that support needs; that the service is away only while it is. */
export function sayFailure(error: unknown): void {
  const { text, requestId, isUnanswered } = problemOf(error);
  show({ text, kind: 'failed', requestId, unansweredSince: isUnanswered ? Date.now() : undefined });
}

/**
 * Takes back that the service cannot be reached, once it has answered: a change at once, since that was tried again, a read
 * only when the notice could be read.
 */
export function sayAnswered(isChange: boolean): void {
  const isOver = (since: number) => isChange || Date.now() - since >= shownMs;
  const over = toasts.filter(({ unansweredSince }) => unansweredSince !== undefined && isOver(unansweredSince));
  for (const { id } of over) dismiss(id);
}
