import type { StoreClient } from '@store-service/sdk';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { clientVersion } from '../version.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

/** The version of the service, or null if it does not say. */
async function serviceVersion({ health }: StoreClient): Promise<string | null> {
  try {
    return (await health.check({ signal: AbortSignal.timeout(5_000) })).data.version;
  } catch {
    return null;
  }
}

/** `whoami`: on whose behalf the key acts, and where. */
export async function whoAmI({ access, api, output }: Context, format: OutputFormat): Promise<void> {
  const { address, keyFrom, context = null } = access;
  const { data: organization } = await api.organizations.current();
  const version = await serviceVersion(api);
  if (format === 'json') {
    return printJson(output, { context, address, keyFrom, organization, serviceVersion: version, clientVersion });
  }
  await printDetails(output, [
    ['ORGANIZATION', organization.name],
    ['ORGANIZATION ID', organization.id],
    ['ROLE', organization.role],
    ['CONTEXT', context],
    ['ADDRESS', address],
    ['KEY FROM', keyFrom],
    ['SERVICE', version],
    ['CLIENT', clientVersion],
  ]);
}
