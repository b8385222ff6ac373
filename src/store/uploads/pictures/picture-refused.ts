/** Bytes that cannot be kept as a picture: of no type that is taken, broken, or larger than we decode. */
export class PictureRefused extends Error {
  constructor(
    readonly reason: 'type' | 'broken' | 'too_large',
    message: string,
  ) {
    super(message);
    this.name = 'PictureRefused';
  }
}
