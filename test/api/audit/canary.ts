/** Part of every secret, personal field and long text sent to the audited routes; nine letters, so that base64 keeps it intact. */
export const canary = 'canary7d1';

/** What the audit log must not contain, in lower case: the canary, also as webhook secrets encode it. */
export const traces = [canary, Buffer.from(canary).toString('base64').toLowerCase()];
