import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { OutsideCalls, type OutsideKind } from '../platform/net/outside-calls.js';
import { TargetUnreachable } from '../platform/net/target-errors.js';
import { MailBox } from './mail-box.js';

export const effects = ['fail', 'hang', 'slow'] as const;
export type Effect = (typeof effects)[number];

/** What befalls the next calls of a kind. */
interface Fault {
  kind: OutsideKind;
  effect: Effect;
  /** The calls that it still befalls. */
  count: number;
}

const slowMs = 2_000;
/** What only asks whether the callee is there. */
const questions = new Set<string | symbol>(['check', 'responds']);
/** Longer than the service waits for anything. */
const hangMs = 300_000;

/** A storage that fails does so as the system says it. */
function failureOf(kind: OutsideKind): Error {
  const message = `A fault of test mode: the call of kind ${kind} failed`;
  if (kind === 'webhook') return new TargetUnreachable('connect', message);
  return kind === 'storage' ? Object.assign(new Error(message), { code: 'EIO', errno: -5 }) : new Error(message);
}

/** Ends a wait when the call is aborted, or has a time limit of its own. */
function endOf(values: readonly unknown[]): AbortSignal | undefined {
  const [first, second] = values as { signal?: AbortSignal; timeoutMs?: number }[];
  const given = [first, second].flatMap((value) => (value instanceof AbortSignal ? value : (value?.signal ?? [])));
  const signals = first?.timeoutMs === undefined ? given : [...given, AbortSignal.timeout(first.timeoutMs)];
  return signals.length > 0 ? AbortSignal.any(signals) : undefined;
}

/** Keeps mails from going out, and lets the next calls of a kind fail, hang or be slow. */
@Injectable()
export class Faults extends OutsideCalls {
  readonly mails = new MailBox();
  private faults: Fault[] = [];
  private released = new AbortController();

  around<T extends object>(kind: OutsideKind, callee: T): T {
    const called = kind === 'mail' ? this.mails : callee;
    const get = (_: T, name: string | symbol): unknown => {
      const member: unknown = Reflect.get(called, name);
      if (typeof member !== 'function' || questions.has(name)) return member;
      return async (...values: unknown[]): Promise<unknown> => {
        await this.befall(kind, values);
        return Reflect.apply(member, called, values) as unknown;
      };
    };
    return new Proxy(callee, { get });
  }

  add(fault: Fault): void {
    this.faults.push({ ...fault });
  }

  /** The faults that have calls left. */
  get waiting(): readonly Fault[] {
    return this.faults;
  }

  /** Ends all faults: what hangs goes on. */
  clear(): void {
    this.faults = [];
    this.released.abort();
    this.released = new AbortController();
  }

  private async befall(kind: OutsideKind, values: readonly unknown[]): Promise<void> {
    const fault = this.faults.find((one) => one.kind === kind);
    if (!fault) return;
    fault.count -= 1;
    if (fault.count === 0) this.faults = this.faults.filter((one) => one !== fault);
    if (fault.effect === 'fail') throw failureOf(kind);
    const [end, { signal: released }] = [endOf(values), this.released];
    const signal = end ? AbortSignal.any([end, released]) : released;
    await sleep(fault.effect === 'slow' ? slowMs : hangMs, undefined, { signal }).catch(() => undefined);
    if (end?.aborted)
      throw kind === 'webhook'
        ? new TargetUnreachable('timeout', 'The receiver did not answer in time')
        : failureOf(kind);
  }
}
