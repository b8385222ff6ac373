import type { Command } from 'commander';
import type { Open } from './context.js';
import type { LoginChoices } from './login.js';
import { type OutputFormat, outputOption, wordOption } from './options.js';
import { keyRoles } from '../values.js';

const loginExamples = `
Without a terminal, the key is read from standard input. STORE_API_KEY, where it is set, wins over a kept key. A kept
key is sent to the address that it was kept with, and to no other. A key that is kept by a --name is used by
--context NAME, by STORE_CONTEXT, or after store contexts use NAME.

Examples:
  store login
  store login http://127.0.0.1:3000 < key.txt
  store login https://shop.example.com --provider
  store login http://127.0.0.1:3000 --name staging < key.txt`;

const logoutExamples = `
Examples:
  store logout`;

const whoamiExamples = `
Examples:
  store whoami
  store whoami -o json | jq -r .organization.name`;

export function configureLogin(login: Command, open: Open): void {
  login
    .argument('[address]', 'the address of the service; asked for if left out')
    .addOption(wordOption('--role <role>', `of a key that is made: ${keyRoles.join(', ')}`, keyRoles).default('member'))
    .option('--provider', 'sign in with the provider of the service in a browser, and make a key')
    .option('--name <name>', 'the context to keep it for; the one in use if left out')
    .addHelpText('after', loginExamples)
    .action(async (address: string | undefined, choices: LoginChoices) => {
      const { logIn } = await import('./login.js');
      await logIn(await open(), address, choices);
    });
}

export function configureLogout(logout: Command, open: Open): void {
  logout.addHelpText('after', logoutExamples).action(async () => {
    const { logOut } = await import('./logout.js');
    logOut(await open());
  });
}

export function configureWhoami(whoami: Command, open: Open): void {
  whoami
    .addOption(outputOption())
    .addHelpText('after', whoamiExamples)
    .action(async ({ output }: { output: OutputFormat }) => {
      const { whoAmI } = await import('./whoami.js');
      await whoAmI(await open(), output);
    });
}
