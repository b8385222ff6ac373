import type { Command } from 'commander';
import type { Open } from './context.js';
import type { InviteChoices } from './member-actions.js';
import {
  allOption,
  limitOption,
  listOutputOption,
  type OutputFormat,
  outputOption,
  readId,
  wordOption,
} from './options.js';
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

const updateExamples = `
Examples:
  store members list -o json | jq -r '.[0].username' | xargs -I NAME store members update NAME --role viewer`;

const removeExamples = `
Examples:
  store members list -o json | jq -r '.[0].username' | xargs store members remove --revoke-keys`;

const invitationsExamples = `
Examples:
  store members invitations
  store members invitations -o json | jq -r '.[].email'`;

const uninviteExamples = `
Examples:
  store members invitations -o json | jq -r '.[0].invitationId' | xargs store members uninvite`;

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
  addChanges(members, open);
  addInvitations(members, open);
}

interface Format {
  output: OutputFormat;
}

function addChanges(members: Command, open: Open): void {
  members
    .command('update')
    .summary('change the role of a member')
    .description('Change the role of a member of the organization.')
    .argument('<who>', 'the username or id of the member')
    .addOption(wordOption('--role <role>', `one of ${roles.join(', ')}`, roles).makeOptionMandatory())
    .addOption(outputOption())
    .addHelpText('after', updateExamples)
    .action(async (who: string, choices: InviteChoices) => {
      const { updateMember } = await import('./member-actions.js');
      await updateMember(await open(), who, choices);
    });
  members
    .command('remove')
    .summary('take somebody out of the organization')
    .description('Take a member out of the organization. The API keys that they made go on, unless they are revoked.')
    .argument('<who>', 'the username or id of the member')
    .option('--revoke-keys', 'revoke all API keys that they made')
    .addOption(outputOption())
    .addHelpText('after', removeExamples)
    .action(async (who: string, choices: Format & { revokeKeys?: true }) => {
      const { removeMember } = await import('./member-actions.js');
      await removeMember(await open(), who, choices);
    });
}

function addInvitations(members: Command, open: Open): void {
  members
    .command('invitations')
    .summary('list who is invited, newest first')
    .description('List the invitations that nobody answered yet, newest first.')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', invitationsExamples)
    .action(async (options: ListOptions) => {
      const { listInvitations } = await import('./member-actions.js');
      await listInvitations(await open(), options);
    });
  members
    .command('uninvite')
    .summary('take an invitation back')
    .description('Take an invitation back: it can no longer be accepted.')
    .argument('<id>', 'the id of the invitation', readId)
    .addOption(outputOption())
    .addHelpText('after', uninviteExamples)
    .action(async (id: string, { output }: Format) => {
      const { revokeInvitation } = await import('./member-actions.js');
      await revokeInvitation(await open(), id, output);
    });
}
