/** Refuses bytes as a picture: of another type, broken, or too large to decode. */
export class PictureRefused extends Error {
  constructor(
    readonly reason: 'type' | 'broken' | 'too_large',
    message: string,
  ) {
    super(message);
    this.name = 'PictureRefused';
  }
}
