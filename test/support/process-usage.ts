import { readFileSync } from 'node:fs';

/** Of Linux on every architecture (`getconf CLK_TCK`). */
const tickMs = 10;

/**
 * The processor time of a process so far, which tells its work from that of others on the machine. Where the system does not
 * tell it, the time of day.
 */
export function cpuMsOf(pid: number): number {
  try {
    // proc(5): the name, in brackets, may hold blanks; utime and stime are the 12th and 13th fields behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return performance.now();
  }
}

/** The memory that a process holds, in bytes; undefined where the system does not tell it. */
export function residentBytesOf(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}
