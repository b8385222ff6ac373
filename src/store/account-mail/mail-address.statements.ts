/**
 * The address to which mails to the account `u` go: its own, or while that is new and not confirmed, the confirmed one from
 * before.
 */
export const mailAddress = `CASE WHEN u.email_verified THEN u.email ELSE coalesce(u.former_email, u.email) END`;

/** Whether somebody has confirmed that address. */
export const mailAddressConfirmed = `(u.email_verified OR u.former_email IS NOT NULL)`;
