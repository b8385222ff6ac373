import { type Facts, type Tell } from './facts.js';
import { faultsOf, type Schema } from './schema.js';
import { fieldsOf, headerOf, listOf, textOf, type Fields } from './values.js';
import { type Call } from './calls.js';

interface Operation {
  pattern: RegExp;
  method: string;
  responses: Fields;
  specificity: number;
}

/** Codes of a 503 that say that the service has too much to do, not that something is broken. */
const busyCodes = new Set(['busy', 'stopping', 'tests_busy', 'previews_busy']);

/** Each answer has a status that the interface description allows, and a body as it describes it. */
export async function judgeAnswers(facts: Facts, tell: Tell): Promise<void> {
  const answer = await facts.end.read('GET', '/openapi.json', 'admin');
  const description = answer.status === 200 ? fieldsOf(answer.body) : undefined;
  const operations = description ? operationsOf(description) : [];
  for (const call of facts.calls) {
    if (call.status === undefined) continue;
    judgeStatus(facts, call, tell);
    judgeHeaders(call, tell);
    if (call.status >= 400) judgeError(call, description, tell);
    const operation = operations.find(({ method, pattern }) => method === call.method && pattern.test(addressOf(call)));
    if (operation && description) judgeDescribed(call, operation, description, tell);
  }
}

function addressOf({ entry }: Call): string {
  const { pathname } = new URL(entry.path, 'http://model.invalid');
  return pathname.replace(/(?<=.)\/$/, '');
}

function operationsOf(description: Fields): Operation[] {
  const operations = Object.entries(fieldsOf(description.paths)).flatMap(([path, methods]) =>
    Object.entries(fieldsOf(methods)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(
        `^${path
          .replace(/(?<=.)\/$/, '')
          .replace(/[.+?^$()|[\]\\]/g, '\\$&')
          .replace(/\{[^}]+\}/g, '[^/]+')}$`,
      ),
      responses: fieldsOf(fieldsOf(operation).responses),
      specificity: path.split('/').filter((part) => !part.startsWith('{')).length,
    })),
  );
  return operations.sort((a, b) => b.specificity - a.specificity);
}

/** No input and no fault gives a 500; a 503 says that something is broken, and so comes after a fault alone. */
function judgeStatus(facts: Facts, call: Call, tell: Tell): void {
  const { status, n } = call;
  if (status === undefined || status < 500) return;
  if (status !== 502 && status !== 503)
    tell('answers/no-500', n, `No request should be answered with ${status}, and ${call.method} ${call.path} was`);
  if (status === 503 && !busyCodes.has(String(call.answer.code)) && !facts.faultBetween(0, n)) {
    tell('answers/available', n, `Nothing was broken: expected no 503 ${String(call.answer.code)}`);
  }
}

function judgeHeaders({ n, status, entry, token }: Call, tell: Tell): void {
  if (!('headers' in entry.answer)) return;
  const { headers } = entry.answer;
  if (headerOf(headers, 'x-request-id') === undefined)
    tell('answers/request-id', n, 'Every answer carries x-request-id, and this one does not');
  const challenge = headerOf(headers, 'www-authenticate');
  if (status === 401 && entry.path.startsWith('/api/v1/') && token !== undefined && challenge === undefined) {
    tell('answers/challenge', n, 'A 401 to a token carries WWW-Authenticate, and this one does not');
  }
}

/** A sentence and a code that the description lists; a 422 may list what is wrong, and where. */
function judgeError(
  { n, status, method, path, answer, entry }: Call,
  description: Fields | undefined,
  tell: Tell,
): void {
  if (!entry.path.startsWith('/api/v1/') || method === 'HEAD') return;
  const faults = listOf(answer.detail);
  if (status === 422 && Array.isArray(answer.detail)) {
    const isWhole = faults.every(
      ({ loc, msg, type }) => Array.isArray(loc) && textOf(msg) !== undefined && textOf(type) !== undefined,
    );
    if (!isWhole || faults.length === 0 || faults.length > 50) {
      tell(
        'answers/error',
        n,
        `A 422 lists 1 to 50 faults with loc, msg and type, and ${method} ${path} says ${JSON.stringify(answer)}`,
      );
    }
    return;
  }
  const codes = fieldsOf(fieldsOf(fieldsOf(description?.components).schemas).ErrorCode).enum;
  const known = !Array.isArray(codes) || codes.includes(answer.code);
  if (textOf(answer.detail) === undefined || textOf(answer.code) === undefined || !known) {
    tell(
      'answers/error',
      n,
      `An error has a sentence and a code of the list, and ${method} ${path} says ${JSON.stringify(answer)}`,
    );
  }
}

function judgeDescribed(call: Call, { responses }: Operation, description: Fields, tell: Tell): void {
  const { n, status, method, path } = call;
  const response = responses[String(status)];
  if (response === undefined) {
    // Whatever asks for a token may be answered so, and so may any body or header that is too large.
    if (![400, 401, 404, 405, 408, 413, 431].includes(status!) && status! < 500) {
      tell(
        'answers/documented',
        n,
        `${method} ${path} is described with ${Object.keys(responses).join(', ')}, and was answered with ${status}`,
      );
    }
    return;
  }
  const content = fieldsOf(fieldsOf(fieldsOf(response).content)['application/json']);
  if (status! >= 300 || content.schema === undefined) return;
  const [fault] = faultsOf(call.raw, content.schema as Schema, description);
  if (fault !== undefined) tell('answers/body', n, `${method} ${path} should be answered as described: ${fault}`);
}
