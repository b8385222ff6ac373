/**
 * The longest time, in milliseconds, that a value is used again without asking the database. A change that this node did not
 * hear of (a lost message of another node, a change by hand) shows by then: within two seconds, with a
 * margin.
 */
export const freshMs = 1_800;
