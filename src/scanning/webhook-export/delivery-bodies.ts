import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { sealedColumn } from '../../platform/crypto/sealed-places.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { BodySource } from '../../platform/net/redirects.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';
import type { PartRanges } from './payload-parts.js';
import { PayloadStore } from './payload-store.js';

/** What of a delivery leads to its body. */
export interface StoredBody {
  id: string;
  organizationId: string;
  runId: string;
  resources: PayloadRoot[] | null;
  rootBytes: RootBytes | null;
  bodySealed: string | null;
  part: number | null;
  parts: number | null;
  partRanges: PartRanges | null;
}

/** The place that the body of a delivery is sealed for. */
export const sealedBodyPlace = sealedColumn({
  table: 'webhook_deliveries',
  column: 'body_sealed',
  key: { id: 'uuid' },
  place: 'delivery-body',
});

/** Opens what deliveries send: their own bodies, or the frozen payloads of their runs. */
@Injectable()
export class DeliveryBodies {
  constructor(
    private readonly payloads: PayloadStore,
    private readonly box: SecretBox,
  ) {}

  bodyOf(stored: StoredBody): BodySource {
    const { id, organizationId, runId, resources, rootBytes, bodySealed, part, parts, partRanges } = stored;
    if (partRanges !== null && part !== null && parts !== null) {
      return this.payloads.part({ organizationId, runId }, partRanges, { part, of: parts });
    }
    if (bodySealed === null) return this.payloads.body({ organizationId, runId }, rootBytes ?? {}, resources);
    const bytes = Buffer.from(this.box.open(bodySealed, sealedBodyPlace(id)));
    return { length: bytes.length, open: () => Readable.from([bytes]) };
  }
}
