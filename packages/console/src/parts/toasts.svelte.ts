import { problemOf } from '../api/problem.js';

export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  /** The id of the failed request in the service's log. */
  requestId?: string | undefined;
  /** How many times in a row it was said. */
  count: number;
  /** Takes back what was done. */
  undo?: (() => unknown) | undefined;
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

function show({ text, kind, requestId, undo }: Omit<Toast, 'id' | 'count'>): void {
  const id = ++lastId;
  const isReplaced = (toast: Toast) => toast.kind === kind && (kind === 'done' || toast.text === text);
  const before = toasts.find(isReplaced);
  const count = before?.text === text ? before.count + 1 : 1;
  if (before) dismiss(before.id);
  toasts.push({ id, text, kind, requestId, count, undo });
  if (kind === 'done') setTimeout(() => dismiss(id), undo ? undoableMs : shownMs);
}

/** Reports the reason for a failure, with the id that support needs. */
export function sayFailure(error: unknown): void {
  const { text, requestId } = problemOf(error);
  say(text, 'failed', requestId);
}
