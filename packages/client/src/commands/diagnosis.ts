import type { Command } from 'commander';
import type { Open } from './context.js';
import { type OutputFormat, outputOption } from './options.js';

const examples = `
Where the certificate of the service was signed by an authority of your own,
NODE_EXTRA_CA_CERTS names a file with that authority's certificate (PEM).

Exit codes: 0 where all is well, else 1.

Examples:
  store doctor
  store doctor --context staging
  store doctor --jq '.[] | .message'`;

/** `doctor`. */
export function configureDoctor(doctor: Command, open: Open): void {
  doctor
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async ({ output }: { output: OutputFormat }) => {
      const { examine } = await import('./doctor.js');
      await examine(await open(), output);
    });
}
