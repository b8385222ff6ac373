import type { Command } from 'commander';
import type { Open } from './context.js';
import type { InviteChoices } from './member-actions.js';
import { type OutputFormat, outputOption, roleOption } from './options.js';
import type { ListOptions } from './print-list.js';
import { addCommand, addForOne, addList, addListCommand } from './usual-commands.js';

export function addMembers(members: Command, open: Open): void {
  const listing = {
    summary: "list the organization's members, newest first",
    description: 'List the members of the organization, newest first, with their roles.',
    examples: ['store members list', 'store members list -o csv > members.csv'],
  };
  addList(members, open, listing, [], async () => (await import('./member-actions.js')).listMembers);
  addCommand(members, {
    name: 'invite',
    summary: 'invite somebody into the organization',
    description: 'Invite somebody into the organization. They are a member once they accept.',
    examples: [
      'store members invite grace.h@example.com --role viewer',
      'store members invite maria.santos --role member',
    ],
  })
    .argument('<who>', 'an e-mail address, or a username')
    .addOption(roleOption().default('member'))
    .addOption(outputOption())
    .action(async (who: string, choices: InviteChoices) => {
      const { inviteMember } = await import('./member-actions.js');
      await inviteMember(await open(), who, choices);
    });
  addChanges(members, open);
  addInvitations(members, open);
}

function addChanges(members: Command, open: Open): void {
  addCommand(members, {
    name: 'update',
    summary: 'change the role of a member',
    description: 'Change the role of a member of the organization.',
    examples: [
      "store members list -o json | jq -r '.[0].username' | xargs -I NAME store members update NAME --role viewer",
    ],
  })
    .argument('<who>', 'the username or id of the member')
    .addOption(roleOption().makeOptionMandatory())
    .addOption(outputOption())
    .action(async (who: string, choices: InviteChoices) => {
      const { updateMember } = await import('./member-actions.js');
      await updateMember(await open(), who, choices);
    });
  addCommand(members, {
    name: 'remove',
    summary: 'take somebody out of the organization',
    description: 'Take a member out of the organization. The API keys that they made go on, unless they are revoked.',
    examples: ["store members list -o json | jq -r '.[0].username' | xargs store members remove --revoke-keys"],
  })
    .argument('<who>', 'the username or id of the member')
    .option('--revoke-keys', 'revoke all API keys that they made')
    .addOption(outputOption())
    .action(async (who: string, choices: { output: OutputFormat; revokeKeys?: true }) => {
      const { removeMember } = await import('./member-actions.js');
      await removeMember(await open(), who, choices);
    });
}

function addInvitations(members: Command, open: Open): void {
  addListCommand(members, {
    name: 'invitations',
    summary: 'list who is invited, newest first',
    description: 'List the invitations that nobody answered yet, newest first.',
    examples: ['store members invitations', "store members invitations -o json | jq -r '.[].email'"],
  }).action(async (options: ListOptions) => {
    const { listInvitations } = await import('./member-actions.js');
    await listInvitations(await open(), options);
  });
  const revocation = {
    name: 'uninvite',
    one: 'invitation',
    summary: 'take an invitation back',
    description: 'Take an invitation back: it can no longer be accepted.',
    examples: ["store members invitations -o json | jq -r '.[0].invitationId' | xargs store members uninvite"],
  };
  addForOne(members, open, revocation, async () => (await import('./member-actions.js')).revokeInvitation);
}
