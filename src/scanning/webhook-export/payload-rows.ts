import { Injectable } from '@nestjs/common';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { consoleLink } from '../console-link.js';
import { IntegrationSecrets } from '../integrations/integration-secrets.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';
import { type PayloadRow, PayloadRowsRepository } from './payload-rows.repository.js';

/** The largest payload of one POST. */
export const maxPayloadBytes = 50 * 1024 * 1024;

const pageBytes = 4 * 1024 * 1024;
const firstPageRows = 100;
const mostPageRows = 1_000;

/**
 * The number of rows to ask for next: about half a page by the length of the last ones, so that few are built in vain, and
 * planning the statement costs little beside them.
 */
function nextPageRows(rows: PayloadRow[], before: number): number {
  const characters = rows.reduce((sum, { json }) => sum + (json?.length ?? 0), 0);
  if (characters === 0) return before;
  return Math.min(mostPageRows, Math.max(1, Math.floor((pageBytes / 2) * (rows.length / characters))));
}

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
    private readonly links: MailLinks,
  ) {}

  /** The JSON texts of the resources in order, a page at a time; throws `PayloadOverflow` for one too large. */
  async *read(
    organizationId: string,
    shape: PayloadVariant,
    root: PayloadRoot,
    ids: string[],
  ): AsyncGenerator<string[]> {
    const opensParameters = shape === 'default' && root === 'integrations';
    let pageRows = firstPageRows;
    for (let done = 0; done < ids.length;) {
      const wanted = ids.slice(done, done + pageRows);
      const bounds = { pageBytes, rowBytes: maxPayloadBytes };
      const rows = await this.repository.page(organizationId, [shape, root], wanted, bounds);
      yield rows.map(({ ord, json }) => {
        if (json === null) throw new PayloadOverflow();
        const url = consoleLink(this.links, organizationId, root, wanted[ord - 1]);
        return withUrl(opensParameters ? this.opened(json) : json, url);
      });
      done += rows.at(-1)?.ord ?? wanted.length;
      pageRows = nextPageRows(rows, pageRows);
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

/** The JSON text of an object with its link, which no statement knows: the service's own address is a setting. */
function withUrl(json: string, url: string): string {
  return `{"url":${JSON.stringify(url)},${json.slice(json.indexOf('{') + 1)}`;
}
