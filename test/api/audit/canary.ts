/** Stands in every secret, personal field and long text that the audited routes are given. */
export const canary = 'canary7d1f';
