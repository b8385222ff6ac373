/** The six arrays of a payload, in the document's order. */
export const payloadRoots = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'] as const;
export type PayloadRoot = (typeof payloadRoots)[number];
