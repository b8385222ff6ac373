const newline = 0x0a;

/** Reads lines through one buffer, which grows with the longest line, so that megabytes of them leave nothing to collect. */
export class LineBuffer {
  private buffer: Buffer;
  /** Where the line begins that has not ended yet, and where the next byte goes. */
  private begun = 0;
  private end = 0;

  constructor(bytes: number) {
    this.buffer = Buffer.allocUnsafe(bytes);
  }

  /** The place for the next bytes. The lines returned so far are no longer valid. */
  room(): Buffer {
    this.buffer.copyWithin(0, this.begun, this.end);
    this.end -= this.begun;
    this.begun = 0;
    if (this.end === this.buffer.length) this.buffer = Buffer.concat([this.buffer], 2 * this.end);
    return this.buffer.subarray(this.end);
  }

  /** The lines that end with this many bytes more, without their ends. */
  lines(bytesRead: number): Buffer[] {
    const read = this.buffer.subarray(0, this.end + bytesRead);
    const lines: Buffer[] = [];
    for (let at = read.indexOf(newline, this.end); at >= 0; at = read.indexOf(newline, this.begun)) {
      lines.push(read.subarray(this.begun, at));
      this.begun = at + 1;
    }
    this.end = read.length;
    return lines;
  }
}
