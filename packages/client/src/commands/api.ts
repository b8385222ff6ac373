import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiOptions } from './call-api.js';
import type { Open } from './context.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const examples = `
The path is one of the service: /api/v1/issues, or issues for short. It is what
/docs describes. Fields are the query of a GET, HEAD or DELETE, else the JSON
body: name=value is a text, name:=value is JSON (a number, true, a list), and
name[]=value adds to a list. Nothing is sent to another host.

The body of the answer goes to standard output, that of a refusal too. Exit
codes: 0 for an answer of 200 to 299, 3 for 401 and 403, 4 for 404, else 1.

Examples:
  store api GET issues -f severities[]=HIGH -f size=5
  store api GET issues --paginate --jq '.[].name'
  store api POST tags -f name=reviewed
  echo '{"name": "seen"}' | store api POST tags --input -
  store api GET /openapi.json --jq '.info.title'`;

function readMethod(text: string): string {
  const method = text.toUpperCase();
  if (methods.includes(method)) return method;
  throw new InvalidArgumentError(`Use ${methods.join(', ')}.`);
}

function readField(text: string, earlier: string[] = []): string[] {
  if (/^[^=]+=/.test(text)) return [...earlier, text];
  throw new InvalidArgumentError('A field looks like name=value, or name:=5.');
}

/** `api`. */
export function configureApi(api: Command, open: Open): void {
  api
    .argument('<method>', methods.join(', '), readMethod)
    .argument('<path>', 'a path of the service, such as issues')
    .addOption(new Option('-f, --field <name=value>', 'a field of query or body; repeat it').argParser(readField))
    .addOption(new Option('--input <file>', 'the body, or - for standard input').conflicts('paginate'))
    .option('--content-type <type>', 'what the input is', 'application/json')
    .option('--paginate', 'with GET: ask for all pages of a list, and print its entries as one')
    .option('--jq <expression>', 'print what jq makes of the answer')
    .addHelpText('after', examples)
    .action(async (method: string, path: string, options: ApiOptions) => {
      const { callApi } = await import('./call-api.js');
      await callApi(await open(), method, path, options);
    });
}
