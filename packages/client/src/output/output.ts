import { once } from 'node:events';
import type { OutputStream } from '../surroundings.js';

export type Color = 'bold' | 'red' | 'yellow' | 'green' | 'cyan' | 'grey';

const codes: Record<Color, [on: number, off: number]> = {
  bold: [1, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
  grey: [90, 39],
};

/** What becomes of JSON before it is printed: first some fields are picked, then jq makes of it what an expression says. */
export interface Shape {
  fields?: readonly string[];
  jq?: string;
}

/** Standard output, where results go, and which may be a terminal. */
export class Output {
  readonly isTerminal: boolean;
  /** Whether results are colored: never in a file or pipe, nor if NO_COLOR is set (no-color.org). */
  readonly hasColors: boolean;
  private isInLine = false;

  constructor(
    private readonly stream: OutputStream,
    env: NodeJS.ProcessEnv,
    /** What becomes of JSON before it is printed. */
    readonly shape?: Shape,
    /** Whether tables shorten ids. */
    readonly isShort = false,
  ) {
    this.isTerminal = stream.isTTY === true;
    this.hasColors = this.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  }

  /** The widest line; unlimited if the output is not a terminal, or one of unknown width. */
  get width(): number {
    return (this.isTerminal && this.stream.columns) || Infinity;
  }

  /** Writes, and waits for a slower reader. */
  async write(text: string | Uint8Array): Promise<void> {
    if (!this.stream.write(text)) await once(this.stream, 'drain');
  }

  /** Replaces the previous line on a terminal; `endLine` keeps it. */
  rewriteLine(line: string): void {
    this.isInLine = true;
    this.stream.write(`\r${line}\u001b[K`);
  }

  endLine(): void {
    if (this.isInLine) this.stream.write('\n');
    this.isInLine = false;
  }

  paint(text: string, color: Color | undefined): string {
    if (!this.hasColors || !color) return text;
    const [on, off] = codes[color];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  }
}
