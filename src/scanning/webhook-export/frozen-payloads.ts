import { Injectable } from '@nestjs/common';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';
import type { ExportPlan } from './export-plan.js';
import { type Found, type Gathered, PayloadGatherer } from './payload-gatherer.js';
import { PayloadStore } from './payload-store.js';

/** Freezes the payloads of runs: gathered once, and kept for every attempt. */
@Injectable()
export class FrozenPayloads {
  constructor(
    private readonly gatherer: PayloadGatherer,
    private readonly store: PayloadStore,
  ) {}

  /** Freezes the payload of a run with this plan; null if none of its subjects matches the conditions any more. */
  async freeze(
    runId: string,
    plan: ExportPlan,
    variant: PayloadVariant,
  ): Promise<(Gathered & Pick<Found, 'matching'>) | null> {
    const found = await this.gatherer.find(plan);
    if (!found) return null;
    const writer = this.store.writerOf({ organizationId: plan.organizationId, runId });
    const gathered = await this.gatherer.gather(plan, found.sent, variant, writer);
    return { ...gathered, matching: found.matching };
  }

  /** Removes the frozen payload of a run. */
  discard(organizationId: string, runId: string): Promise<void> {
    return this.store.discard({ organizationId, runId });
  }
}
