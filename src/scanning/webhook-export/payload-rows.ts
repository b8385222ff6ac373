import { Injectable } from '@nestjs/common';
import { IntegrationSecrets } from '../integrations/integration-secrets.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { PayloadShape } from '../workflows/workflow-run.entity.js';
import { PayloadRowsRepository } from './payload-rows.repository.js';

/** The largest payload of one POST. */
export const maxPayloadBytes = 50 * 1024 * 1024;

const pageRows = 100;
const pageBytes = 4 * 1024 * 1024;

/** A payload would be larger than `maxPayloadBytes`. */
export class PayloadOverflow extends Error {
  constructor() {
    super(`The payload is larger than ${maxPayloadBytes / 1024 / 1024} MiB`);
    this.name = 'PayloadOverflow';
  }
}

/** Reads resources as the JSON texts of a payload, a page at a time, so that no payload is ever in memory as a whole. */
@Injectable()
export class PayloadRows {
  constructor(
    private readonly repository: PayloadRowsRepository,
    private readonly integrations: IntegrationSecrets,
  ) {}

  /** The JSON text of each resource in order; throws `PayloadOverflow` for one too large. */
  async *read(organizationId: string, shape: PayloadShape, root: PayloadRoot, ids: string[]): AsyncGenerator<string> {
    const opensParameters = shape === 'default' && root === 'integrations';
    for (let done = 0; done < ids.length;) {
      const wanted = ids.slice(done, done + pageRows);
      const bounds = { pageBytes, rowBytes: maxPayloadBytes };
      const rows = await this.repository.page(organizationId, [shape, root], wanted, bounds);
      for (const { json } of rows) {
        if (json === null) throw new PayloadOverflow();
        yield opensParameters ? this.opened(json) : json;
      }
      done += rows.at(-1)?.ord ?? wanted.length;
    }
  }

  /** The JSON of an integration with its parameters unsealed. */
  private opened(json: string): string {
    const integration = JSON.parse(json) as { id: string; parameters: string };
    return JSON.stringify({
      ...integration,
      parameters: this.integrations.open(integration.id, integration.parameters),
    });
  }
}
