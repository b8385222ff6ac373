import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import { type OutputFormat, outputOption, sinceOption, untilOption } from './options.js';
import type { AuditOptions, OrganizationChanges } from './organization-actions.js';
import { addCommand, addListCommand } from './usual-commands.js';

export function addOrganization(organization: Command, open: Open): void {
  addCommand(organization, {
    name: 'get',
    alias: 'g',
    summary: 'show the organization',
    description: 'Show the organization that the API key is of, and its settings.',
    examples: ['store organization get', 'store organization get -o json | jq .scopedWebhookExportPayload'],
  })
    .addOption(outputOption())
    .action(async ({ output }: { output: OutputFormat }) => {
      const { showOrganization } = await import('./organization-actions.js');
      await showOrganization(await open(), output);
    });
  addCommand(organization, {
    name: 'update',
    summary: 'change the settings of the organization',
    description: 'Change the name of the organization, or what its webhooks carry.',
    examples: [
      'store organization update --scoped-payload on',
      'store organization update --name "Harbour Outfitters"',
    ],
  })
    .option('--name <name>', 'its name')
    .addOption(
      new Option('--scoped-payload <on|off>', 'whether webhooks carry ids and plain fields alone').choices([
        'on',
        'off',
      ]),
    )
    .addOption(outputOption())
    .action(async (changes: OrganizationChanges) => {
      const { updateOrganization } = await import('./organization-actions.js');
      await updateOrganization(await open(), changes);
    });
  const audit = {
    name: 'audit',
    summary: 'list who did what, newest first',
    description: 'List who did what in the organization, newest first: settings, members, keys, workflows, deletions.',
    examples: ['store organization audit --since 24h', 'store organization audit --all -o csv > audit.csv'],
  };
  addListCommand(organization, audit, [sinceOption('entries'), untilOption('entries')]).action(
    async (options: AuditOptions) => {
      const { listAudit } = await import('./organization-actions.js');
      await listAudit(await open(), options);
    },
  );
}
