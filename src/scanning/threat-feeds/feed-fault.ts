/** Why a feed cannot be used; what an earlier one said stays. */
export class FeedFault extends Error {}
