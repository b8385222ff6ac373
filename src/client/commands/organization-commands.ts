import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import {
  allOption,
  limitOption,
  listOutputOption,
  type OutputFormat,
  outputOption,
  sinceOption,
  untilOption,
} from './options.js';
import type { AuditOptions, OrganizationChanges } from './organization-actions.js';

const getExamples = `
Examples:
  store organization get
  store organization get -o json | jq .scopedWebhookExportPayload`;

const updateExamples = `
Examples:
  store organization update --scoped-payload on
  store organization update --name "Harbour Outfitters"`;

const auditExamples = `
Examples:
  store organization audit --since 24h
  store organization audit --all -o csv > audit.csv`;

export function addOrganization(organization: Command, open: Open): void {
  organization
    .command('get')
    .alias('g')
    .summary('show the organization')
    .description('Show the organization that the API key is of, and its settings.')
    .addOption(outputOption())
    .addHelpText('after', getExamples)
    .action(async ({ output }: { output: OutputFormat }) => {
      const { showOrganization } = await import('./organization-actions.js');
      await showOrganization(await open(), output);
    });
  organization
    .command('update')
    .summary('change the settings of the organization')
    .description('Change the name of the organization, or what its webhooks carry.')
    .option('--name <name>', 'its name')
    .addOption(
      new Option('--scoped-payload <on|off>', 'whether webhooks carry ids and plain fields alone').choices([
        'on',
        'off',
      ]),
    )
    .addOption(outputOption())
    .addHelpText('after', updateExamples)
    .action(async (changes: OrganizationChanges) => {
      const { updateOrganization } = await import('./organization-actions.js');
      await updateOrganization(await open(), changes);
    });
  organization
    .command('audit')
    .summary('list who did what, newest first')
    .description('List who did what in the organization, newest first: settings, members, keys, workflows, deletions.')
    .addOption(sinceOption('entries'))
    .addOption(untilOption('entries'))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', auditExamples)
    .action(async (options: AuditOptions) => {
      const { listAudit } = await import('./organization-actions.js');
      await listAudit(await open(), options);
    });
}
