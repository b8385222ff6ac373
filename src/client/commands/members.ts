import type { Command } from 'commander';
import type { Open } from './context.js';
import type { InviteChoices } from './member-actions.js';
import { allOption, limitOption, listOutputOption, outputOption, wordOption } from './options.js';
import type { ListOptions } from './print-list.js';
import { roles } from './values.js';

const listExamples = `
Examples:
  store members list
  store members list -o csv > members.csv`;

const inviteExamples = `
Examples:
  store members invite grace.h@example.com --role viewer
  store members invite maria.santos --role member`;

export function addMembers(members: Command, open: Open): void {
  members
    .command('list')
    .alias('ls')
    .summary("list the organization's members, newest first")
    .description('List the members of the organization, newest first, with their roles.')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListOptions) => {
      const { listMembers } = await import('./member-actions.js');
      await listMembers(await open(), options);
    });
  members
    .command('invite')
    .summary('invite somebody into the organization')
    .description('Invite somebody into the organization. They are a member once they accept.')
    .argument('<who>', 'an e-mail address, or a username')
    .addOption(wordOption('--role <role>', `one of ${roles.join(', ')}`, roles).default('member'))
    .addOption(outputOption())
    .addHelpText('after', inviteExamples)
    .action(async (who: string, choices: InviteChoices) => {
      const { inviteMember } = await import('./member-actions.js');
      await inviteMember(await open(), who, choices);
    });
}
