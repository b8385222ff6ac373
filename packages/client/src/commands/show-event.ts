import { resolveId } from '../api/ids.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { attachmentText } from './attachment-text.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import type { OutputFormat } from './options.js';

/** `events get`: one event with its description and attachments. */
export async function showEvent({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const { data: event } = await api.events.get({ path: { id: await resolveId(api, 'EVENT', given) } });
  if (format === 'json') {
    await printJson(output, event);
    return;
  }
  await printDetails(output, [
    ['ID', event.id],
    ['CREATED AT', event.createdAt],
    ['LEVEL', event.level],
    ['STAGE', event.stage],
    ['TITLE', event.title],
    ['SCAN ID', event.scanId],
    ['ISSUES', event.issuesCount],
    ['ATTACHMENTS', event.attachments.length],
  ]);
  await output.write(`\n${output.paint('DESCRIPTION', 'bold')}\n${indented(event.description)}\n`);
  for (const attachment of event.attachments) {
    const head = output.paint(`${attachment.type} ${attachment.id}`, 'bold');
    await output.write(`\n${head}\n${indented(attachmentText(attachment))}\n`);
  }
}
