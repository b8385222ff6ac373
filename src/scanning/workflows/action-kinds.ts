import { notificationKinds } from '../notifications/notification-kinds.js';

export const actionTypes = ['EXPORT', 'NOTIFY'] as const;
export type ActionType = (typeof actionTypes)[number];

/** What an action sends to: an export to a webhook, a notification to all else. */
export const actionKinds = ['WEBHOOK', ...notificationKinds] as const;
export type ActionKind = (typeof actionKinds)[number];
