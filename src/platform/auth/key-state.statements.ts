/** SQL that says of a row of keys whether it may be used. */
export const keyInForce = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

/** SQL that says of a row of keys whether its last recorded use is more than a minute ago. */
export const keyUseIsStale = `(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;
