/** The six arrays of a payload, in the order of the interface description. */
export const payloadRoots = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'] as const;
export type PayloadRoot = (typeof payloadRoots)[number];
