/**
 * What gave an account its role. Groups at the provider give and take only what nobody has set by hand.
 */
export const roleSources = ['default', 'hand', 'groups'] as const;
export type RoleSource = (typeof roleSources)[number];
