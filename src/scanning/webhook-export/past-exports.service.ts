import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import type { ExportPlan } from './export-plan.js';
import { ExportsRepository } from './exports.repository.js';
import { FrozenPayloads } from './frozen-payloads.js';
import { bodyBytes } from './payload-store.js';

/** Freezes the payloads of runs that were over before they were recorded, such as those of demo data: it sends nothing. */
@Injectable()
export class PastExportsService {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly payloads: FrozenPayloads,
    private readonly box: SecretBox,
  ) {}

  /** Freezes the payload of a run, records the run as sent, and returns the length of its body in bytes. */
  async freeze(runId: string, plan: ExportPlan): Promise<number> {
    const frozen = await this.payloads.freeze(runId, plan, 'default');
    if (!frozen) throw new Error(`Run ${runId} has nothing to send`);
    await this.repository.settleSent(runId, 'default', frozen.rootBytes, { reason: null, seenUntil: null });
    return bodyBytes(frozen.rootBytes, null);
  }

  /** The address of a delivery as it is stored. */
  sealUrl(deliveryId: string, url: string): string {
    return this.box.seal(url, sealedUrlPlace(deliveryId));
  }
}
