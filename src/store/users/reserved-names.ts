/** Names that could pass for the shop or its staff, or that responses use for no account. */
const reserved = new Set(
  (
    'abuse admin administrator administrators admins anonymous api billing deleted everyone guest help helpdesk ' +
    'hostmaster me moderator moderators nobody noreply null official owner postmaster root security service staff store ' +
    'storeservice superadmin superuser support sysadmin system team undefined webmaster'
  ).split(' '),
);

/**
 * Whether a username is reserved. Case, dots, dashes and underscores do not count: a quick reader takes `Admin`,
 * `a.d.m.i.n` and `_root_` for the reserved name.
 */
export function isReservedName(username: string): boolean {
  return reserved.has(username.toLowerCase().replace(/[._-]/g, ''));
}
