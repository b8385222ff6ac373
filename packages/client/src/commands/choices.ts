import type { Command } from 'commander';
import { exitCodes, Failure } from '../failure.js';
import type { Choices } from './context.js';
import type { ListFormat } from './options.js';

interface Given {
  output?: ListFormat;
  json?: string[];
  jq?: string;
  short?: true;
}

/** The choices of a command line. Where JSON is to be changed, the command is to print JSON. */
export function choicesOf(store: Command, command: Command): Choices {
  const { context } = store.opts<{ context?: string }>();
  const { output, json: fields, jq, short } = command.opts<Given>();
  const chosen = { ...(context !== undefined && { context }), ...(short && { isShort: true }) };
  if (fields === undefined && jq === undefined) return chosen;
  const isJson = output === 'json' || output === 'jsonl';
  if (!isJson && command.getOptionValueSource('output') === 'cli') {
    throw new Failure(`--json and --jq are about JSON: leave out -o ${output}`, exitCodes.usage);
  }
  if (!isJson) command.setOptionValue('output', 'json');
  return { ...chosen, shape: { ...(fields && { fields }), ...(jq !== undefined && { jq }) } };
}
