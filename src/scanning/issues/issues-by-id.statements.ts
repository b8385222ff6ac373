/**
 * SQL of whether an issue is one of the organization $1, for statements that know the ids of the issues that they want. No index
 * serves it: of an organization that is new to the statistics the planner expects a single issue, would start from there, and
 * compare each of its issues with each of the ids.
 */
export const isOfOrganization = (issue: string): string => `${issue}.organization_id IS NOT DISTINCT FROM $1`;
