/**
 * Longest time, in milliseconds, that something read is given again without asking the database. What was changed past
 * this node's knowledge (another node's word that was lost, a change by hand) shows by then: within two seconds, with
 * some to spare.
 */
export const freshMs = 1_800;
