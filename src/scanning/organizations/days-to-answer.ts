/** How long an invitation waits. */
export const daysToAnswer = 14;
