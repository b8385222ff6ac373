import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { sealedUrlPlace } from './deliveries.repository.js';
import type { ExportPlan } from './export-plan.js';
import { ExportsRepository } from './exports.repository.js';
import { PayloadGatherer } from './payload-gatherer.js';
import { bodyBytes, PayloadStore } from './payload-store.js';

/** Freezes the payloads of runs that were over before they were written down, as those of demo data: nothing is sent. */
@Injectable()
export class PastExportsService {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly gatherer: PayloadGatherer,
    private readonly store: PayloadStore,
    private readonly box: SecretBox,
  ) {}

  /** Freezes what a run sends, records the run as sent, and returns the length of its body in bytes. */
  async freeze(runId: string, plan: ExportPlan): Promise<number> {
    const found = await this.gatherer.find(plan);
    if (!found) throw new Error(`Run ${runId} has nothing to send`);
    const writer = this.store.writerOf({ organizationId: plan.organizationId, runId });
    const { rootBytes } = await this.gatherer.gather(plan, found.sent, 'default', writer);
    await this.repository.settleSent(runId, 'default', rootBytes, null);
    return bodyBytes(rootBytes, null);
  }

  /** The address of a delivery as it is stored. */
  sealUrl(deliveryId: string, url: string): string {
    return this.box.seal(url, sealedUrlPlace(deliveryId));
  }
}
