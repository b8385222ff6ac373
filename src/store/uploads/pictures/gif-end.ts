const extensionBlock = 0x21;
const imageBlock = 0x2c;
const trailer = 0x3b;

/** The bytes of a color table, as the flags of a GIF's screen or image announce it. */
function colorTableLength(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 0x07) + 1) : 0;
}

/** The end of a chain of sub-blocks that begins at `at`; past the bytes for a truncated one. */
function afterSubBlocks(bytes: Buffer, at: number): number {
  let next = at;
  for (let length = bytes[next]; length; length = bytes[next]) next += length + 1;
  return next + 1;
}

/**
 * Whether a GIF is complete (GIF89a specification, section 27, Trailer). The decoder shows as much as it gets of a
 * truncated animation, and reports nothing.
 */
export function reachesGifTrailer(bytes: Buffer): boolean {
  let at = 13 + colorTableLength(bytes[10] ?? 0);
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === trailer) return true;
    if (block === extensionBlock) at = afterSubBlocks(bytes, at + 2);
    else if (block === imageBlock) at = afterSubBlocks(bytes, at + 11 + colorTableLength(bytes[at + 9] ?? 0));
    else return false;
  }
  return false;
}
