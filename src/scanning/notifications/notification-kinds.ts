/** What notifications go to: chats by their incoming webhooks, members by mail, or any address with a body of one's own. */
export const notificationKinds = ['SLACK', 'TEAMS', 'DISCORD', 'EMAIL', 'TEMPLATE'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

const chats: ReadonlySet<string> = new Set(['SLACK', 'TEAMS', 'DISCORD']);

/** Whether whoever knows the address may post there, so that the address itself is a secret. */
export function isChat(kind: string): boolean {
  return chats.has(kind);
}

/** How many messages of one run are about one issue each. */
export const mostSingleMessages = 50;

/** When what happened is sent together: at the full hour, at eight, or on Mondays at eight, in the workflow's time zone. */
export const digests = ['hourly', 'daily', 'weekly'] as const;
export type Digest = (typeof digests)[number];
export const digestTimes: Record<Digest, string> = { hourly: '0 * * * *', daily: '0 8 * * *', weekly: '0 8 * * 1' };
