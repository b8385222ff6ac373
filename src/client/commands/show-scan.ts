import { resolveId } from '../api/ids.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { percentOf, type Scan } from './scan-status.js';

/** `scans get`. */
export async function showScan({ api, output }: Context, id: string, format: OutputFormat): Promise<void> {
  const scan = await api.get<Scan>(`scans/${await resolveId(api, 'SCAN', id)}`);
  if (format === 'json') {
    await printJson(output, scan);
    return;
  }
  await printDetails(output, [
    ['ID', scan.id],
    ['STATUS', scan.status],
    ['DONE', percentOf(scan)],
    ['KIND', scan.kind],
    ['PROFILE', scan.application.name],
    ['PROFILE ID', scan.applicationId],
    ['CREATED AT', scan.createdAt],
    ['UPDATED AT', scan.updatedAt],
    ['FINISHED AT', scan.finishedAt],
  ]);
}
