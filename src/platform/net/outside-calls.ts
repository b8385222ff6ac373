/** What the service calls outside of its process and its database. */
export const outsideKinds = ['payment', 'mail', 'webhook', 'storage'] as const;
export type OutsideKind = (typeof outsideKinds)[number];

/** Stands between the service and the world outside where it runs for tests; otherwise nothing does. */
export abstract class OutsideCalls {
  /** What is called in place of `callee`. All methods of it are asynchronous. */
  abstract around<T extends object>(kind: OutsideKind, callee: T): T;
}
