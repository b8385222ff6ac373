/** Why the service cannot start, in a sentence for whoever starts it. */
export class StartError extends Error {
  override name = 'StartError';
}
