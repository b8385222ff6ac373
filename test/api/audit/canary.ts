/** Stands in every secret, personal field and long text that the audited routes are given; nine letters, for base64. */
export const canary = 'canary7d1';

/** What must not be found in the audit log, in small letters: the canary, also as secrets of webhooks carry it. */
export const traces = [canary, Buffer.from(canary).toString('base64').toLowerCase()];
