import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { KeyCheck } from '../../database/key-check.js';
import {
  type SealedColumn,
  type SealedPlace,
  sealedColumns,
  type SealedTask,
  sealedTasks,
} from '../crypto/sealed-places.js';
import { SecretBox, UnopenableSecret } from '../crypto/secret-box.js';
import { JobQueue } from '../jobs/job-queue.js';
import { type Replacement, type SealedRow, SealedValuesRepository } from './sealed-values.repository.js';

/** The values of a column or of the jobs of a task. */
export interface Rotated {
  /** Such as `users.totp_secret`. */
  name: string;
  /** How many the present key has sealed now, which an older one had. */
  replaced: number;
  /** How many could not be replaced now, since somebody was changing them. */
  left: number;
  /** How many open by no key of the list. */
  unopenable: number;
}

/** The look at all of them, as often as it took. */
export interface Rotation {
  values: Rotated[];
  /** Whether an older key seals nothing any more. */
  isComplete: boolean;
}

const mostPasses = 4;
const pauseMs = 500;

/**
 * Seals with the present ENCRYPTION_KEY what older ones sealed, a page at a time, while other nodes work: each value is
 * replaced only if it is still the one that was read. It may end at any time; another run goes on.
 */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly repository: SealedValuesRepository,
    private readonly queue: JobQueue,
    private readonly box: SecretBox,
    private readonly check: KeyCheck,
  ) {}

  /**
   * Looks at everything until an older key seals nothing, a few times at most. `log` takes what a look has done, before
   * the next one.
   */
  async run(log: (pass: readonly Rotated[]) => unknown = () => undefined): Promise<Rotation> {
    const total = new Map<string, Rotated>();
    for (let pass = 1; ; pass++) {
      const values = await this.pass();
      await log(values);
      for (const one of values) total.set(one.name, added(one, total.get(one.name)));
      const isQuiet = values.every(({ replaced, left }) => replaced + left === 0);
      const isComplete = isQuiet && values.every(({ unopenable }) => unopenable === 0);
      if (isComplete) await this.check.settle();
      if (isQuiet || pass === mostPasses) return { values: [...total.values()], isComplete };
      await sleep(pauseMs);
    }
  }

  private async pass(): Promise<Rotated[]> {
    const values: Rotated[] = [];
    for (const column of sealedColumns()) values.push(await this.column(column));
    for (const task of sealedTasks()) values.push(await this.task(task));
    return values;
  }

  private async column(column: SealedColumn): Promise<Rotated> {
    const counts = { name: `${column.table}.${column.column}`, replaced: 0, left: 0, unopenable: 0 };
    for (let after: SealedRow['key'] | null = null; ;) {
      const page = await this.repository.page(column, after);
      const last = page.at(-1);
      if (!last) return counts;
      const changes = page.flatMap((row) => {
        const next = this.resealed(row.sealed, column.placeOf(...row.key), counts);
        return next === null ? [] : [{ ...row, next }];
      });
      const replaced = await this.replace(column, changes);
      counts.replaced += replaced;
      counts.left += changes.length - replaced;
      after = last.key;
    }
  }

  /** A statement for each server that has some of the rows. */
  private async replace(column: SealedColumn, changes: readonly Replacement[]): Promise<number> {
    let replaced = 0;
    for (const spread of new Set(changes.map((change) => change.spread))) {
      replaced += await this.repository.replace(
        column,
        changes.filter((change) => change.spread === spread),
      );
    }
    return replaced;
  }

  private async task({ task, placeOf }: SealedTask): Promise<Rotated> {
    const counts = { name: `the waiting jobs ${task}`, unopenable: 0 };
    const changed = await this.queue.replaceSealed(task, (payload) =>
      this.resealed(payload.sealed, placeOf(payload), counts),
    );
    return { ...counts, ...changed };
  }

  private resealed<Sealed extends string | Buffer>(
    sealed: Sealed,
    place: SealedPlace,
    counts: Pick<Rotated, 'unopenable'>,
  ): Sealed | null {
    try {
      return this.box.reseal(sealed, place);
    } catch (error) {
      if (!(error instanceof UnopenableSecret)) throw error;
      counts.unopenable += 1;
      return null;
    }
  }
}

function added(one: Rotated, before: Rotated | undefined): Rotated {
  return { ...one, replaced: one.replaced + (before?.replaced ?? 0) };
}
