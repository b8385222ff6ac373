/** CopyData's kind and length, which stand before its lines (Frontend/Backend Protocol, Message Formats). */
const kind = 'd'.charCodeAt(0);
const headBytes = 5;
const firstBytes = 64 * 1024;
/** A buffer that is kept for the next message, and how many of them are. */
const mostKeptBytes = 4 * 2 ** 20;
const mostKept = 2;

const kept: Buffer[] = [];

/** A character of a string takes at most three bytes of UTF-8. */
const bytesOfCharacter = 3;

/**
 * A CopyData message with lines. Buffers of a megabyte or two for each thousand lines would be garbage that V8 does not see
 * as its own and lets pile up: the memory of a message is used again, once it was received.
 */
export class CopyMessage {
  private constructor(
    private readonly memory: Buffer,
    private readonly length: number,
  ) {}

  static of(lines: readonly string[]): CopyMessage {
    let memory = kept.pop() ?? Buffer.allocUnsafeSlow(firstBytes);
    let at = headBytes;
    for (const line of lines) {
      const end = at + line.length * bytesOfCharacter;
      if (end > memory.length) memory = grown(memory, at, end);
      at += memory.write(line, at);
    }
    memory[0] = kind;
    memory.writeInt32BE(at - 1, 1);
    return new CopyMessage(memory, at);
  }

  get bytes(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  /** Gives its memory to the next messages. Only call it when nobody reads its bytes any more. */
  release(): void {
    if (kept.length < mostKept && this.memory.length <= mostKeptBytes) kept.push(this.memory);
  }
}

function grown(memory: Buffer, written: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, memory.length * 2));
  memory.copy(larger, 0, 0, written);
  return larger;
}
