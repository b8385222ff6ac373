import { problemOf } from '../api/problem.js';

export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  /** Of what failed, as the service's log names it. */
  requestId?: string | undefined;
}

const shownMs = 6000;
let lastId = 0;

/** What was done or failed a moment ago, shown in a corner and read out by screen readers. */
export const toasts = $state<Toast[]>([]);

export function dismiss(id: number): void {
  const at = toasts.findIndex((toast) => toast.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

/** Says that something was done; failures stay until they are dismissed. */
export function say(text: string, kind: Toast['kind'] = 'done', requestId?: string): void {
  const id = ++lastId;
  toasts.push({ id, text, kind, requestId });
  if (kind === 'done') setTimeout(() => dismiss(id), shownMs);
}

/** Says why something was not done, with what support needs to find it. */
export function sayFailure(error: unknown): void {
  const { text, requestId } = problemOf(error);
  say(text, 'failed', requestId);
}
