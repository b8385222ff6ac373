import type { Health } from '../../../../src/store/health/health.dto.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { clientVersion } from '../version.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { currentOrganization } from './organization.js';

/** The version of the service, or null if it does not say. */
async function serviceVersion(address: string): Promise<string | null> {
  try {
    const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(5_000), redirect: 'manual' });
    const { version } = (await response.json()) as Partial<Health>;
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

/** `whoami`: on whose behalf the key acts, and where. */
export async function whoAmI({ api, output }: Context, format: OutputFormat): Promise<void> {
  const { address, keyFrom } = api.access;
  const organization = await currentOrganization(api);
  const version = await serviceVersion(address);
  if (format === 'json') {
    return printJson(output, { address, keyFrom, organization, serviceVersion: version, clientVersion });
  }
  await printDetails(output, [
    ['ORGANIZATION', organization.name],
    ['ORGANIZATION ID', organization.id],
    ['ROLE', organization.role],
    ['ADDRESS', address],
    ['KEY FROM', keyFrom],
    ['SERVICE', version],
    ['CLIENT', clientVersion],
  ]);
}
