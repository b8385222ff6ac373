/** Requests may not reach the address: malformed, not of the web, or in a private or reserved network. The caller's fault. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TargetRefused';
  }
}

/** The reason why a permitted target gave no usable answer. */
type UnreachableReason =
  'dns' | 'proxy' | 'connect' | 'tls' | 'timeout' | 'too_large' | 'too_many_redirects' | 'broken_answer';

/** The target is permitted, but gave no usable answer. The network's or the other side's fault; `reason` says which. */
export class TargetUnreachable extends Error {
  constructor(
    readonly reason: UnreachableReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'TargetUnreachable';
  }
}
