import { Injectable } from '@nestjs/common';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { subjectOf } from '../workflows/subjects.js';
import type { PendingRun } from './exports.repository.js';
import { MatchingRepository } from './matching.repository.js';
import { maxPayloadBytes, PayloadOverflow, PayloadRows } from './payload-rows.js';
import type { PayloadShape } from './payload-rows.repository.js';
import { PayloadStore, type RootBytes } from './payload-store.js';

/** More rows than fit into any payload: the smallest row of any shape has more than 170 bytes. */
const maxRows = 320_000;

/** Gathers what a run sends and freezes it. */
@Injectable()
export class PayloadGatherer {
  constructor(
    private readonly matching: MatchingRepository,
    private readonly rows: PayloadRows,
    private readonly store: PayloadStore,
  ) {}

  /**
   * Freezes the roots that are wanted and answers their lengths; null where the run is about something that matches no
   * more. Throws `PayloadOverflow` when it gets too large.
   */
  async freeze(run: PendingRun, shape: PayloadShape, wanted: PayloadRoot[]): Promise<RootBytes | null> {
    const { organizationId, trigger, conditions } = run;
    const isEvent = trigger !== 'MANUAL' && trigger !== 'SCHEDULE';
    const subjects = isEvent ? run.subjects : null;
    const ids = await this.matching.find({ organizationId, trigger, conditions, subjects, limit: maxRows });
    if (isEvent && ids[subjectOf[trigger].table].length === 0) return null;
    const bytes: RootBytes = {};
    let total = 0;
    for (const root of wanted.filter((one) => ids[one].length > 0)) {
      if (ids[root].length === maxRows) throw new PayloadOverflow();
      const elements = this.rows.read(organizationId, shape, root, ids[root]);
      const before = total;
      bytes[root] = await this.store.freeze(run.id, root, elements, (soFar) => demandFitting(before + soFar));
      total += bytes[root];
    }
    return bytes;
  }

  /** Throws away what was frozen of a run. */
  discard(runId: string): Promise<void> {
    return this.store.discard(runId);
  }
}

function demandFitting(bytes: number): void {
  if (bytes > maxPayloadBytes) throw new PayloadOverflow();
}
