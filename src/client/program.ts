import { Command } from 'commander';
import { addEvents } from './commands/events.js';
import { addIssues } from './commands/issues.js';
import { addScans } from './commands/scans.js';
import { addWorkflows } from './commands/workflows.js';

const surroundings = `
Environment:
  STORE_API_URL  the address of the service (default: http://127.0.0.1:3000)
  STORE_API_KEY  an API key of your organization
  NO_COLOR       if set, nothing is coloured

Exit codes:
  0  all went well
  1  the service refused or failed, or could not be reached
  2  the command was not understood
  3  not authenticated, or not allowed
  4  not found
  5  the scan that was watched failed or was canceled

Examples:
  store events list --levels ERROR,WARNING
  store events get 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4
  store scans import results.sarif
  store events list --help`;

/** The commands with their options and help; their code is loaded when one runs. */
export function storeProgram(): Command {
  const store = new Command('store')
    .description('Scans, their events and issues, and workflows of Store Service, on the command line.')
    .exitOverride()
    .showHelpAfterError('Add --help to see how the command is used.')
    .configureOutput({ outputError: (message, write) => write(message.replace(/^error: /, 'store: ')) })
    .addHelpText('after', surroundings);
  addEvents(store);
  addScans(store);
  addIssues(store);
  addWorkflows(store);
  return store;
}
