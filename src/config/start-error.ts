/** The reason why the service cannot start, in a sentence for its operator. */
export class StartError extends Error {
  override name = 'StartError';
}
