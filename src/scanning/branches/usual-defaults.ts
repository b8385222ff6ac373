// Unspecified: which branch others are merged into, if the caller does not say: the first of these.
export const usualDefaults = ['main', 'master', 'trunk'] as const;
