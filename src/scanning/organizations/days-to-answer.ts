/** The days that an invitation waits for an answer. */
export const daysToAnswer = 14;
