import type { StoreApiError } from '@store-service/sdk';
import { type ExitCode, exitCodes, Failure, type Refusal } from '../failure.js';
import { type Access, typed } from './access.js';
import { usualContext } from './credentials-file.js';

/** The failure for a response from something other than the service: a web page, another program. */
export function strangeAnswer(address: string, what: string): Failure {
  return new Failure(`${address} does not answer as Store Service does (${what}): check STORE_API_URL`);
}

const forbiddenAdvice = ({ isOfShop }: Access) =>
  isOfShop ? 'Set STORE_SHOP_KEY to a key that may' : 'Set STORE_API_KEY to a key that may, or log in with one';
const noKeyAdvice =
  'An API key says which organization you act for, and what you may do there. `store login` makes one, or keeps one\n' +
  '       that you have; in a pipeline, set STORE_API_KEY to an API key. Admins make them: store keys create';

function loginFor(context: string): string {
  return context === usualContext ? 'store login' : `store login --name ${context}`;
}

function authenticationSentence({ keyFrom, context = usualContext }: Access, reason: string): string {
  if (keyFrom === typed) return reason;
  // The service's own sentence is for people who write requests.
  if (keyFrom === null) return `there is no API key\n       ${noKeyAdvice}`;
  const advice =
    keyFrom === 'STORE_API_KEY' || keyFrom === 'STORE_SHOP_KEY'
      ? `${keyFrom} is not a key that the service takes: set it to a valid one`
      : `${keyFrom} holds a key that the service does not take: run \`${loginFor(context)}\``;
  return `${reason}\n       ${advice}`;
}

/** The failures that a status says by itself, whoever answers; null for the others. */
function failureByStatus(refusal: Refusal, sentence: string, access: Access): Failure | null {
  const { status } = refusal;
  const failure = (message: string, exitCode: ExitCode, isPassing = false) =>
    new Failure(message, exitCode, isPassing, refusal);
  if (status === 401) {
    return failure(`Not authenticated: ${authenticationSentence(access, sentence)}`, exitCodes.notAllowed);
  }
  if (status === 403)
    return failure(`Not allowed: ${sentence}\n       ${forbiddenAdvice(access)}`, exitCodes.notAllowed);
  if (status >= 500) return failure(`The service failed (${status}): ${sentence}`, exitCodes.failed, true);
  return null;
}

/** The failure for a refusal by the service. */
export function refusalBy(error: StoreApiError, access: Access): Failure {
  const { status, code, fields, retryAfterSeconds } = error;
  const sentence = fields.map(({ field, message }) => `${field}: ${message}`).join('\n       ') || error.detail;
  const refusal = { status, code, retryAfterSeconds };
  const isPassing = status === 429 || code === 'request_running';
  const exitCode = status === 404 ? exitCodes.notFound : exitCodes.failed;
  return failureByStatus(refusal, sentence, access) ?? new Failure(sentence, exitCode, isPassing, refusal);
}

/** The failure for a response other than 2xx that does not come from the service. */
export function refusalByOthers({ status, statusText, headers }: Response, access: Access): Failure {
  const failure = failureByStatus({ status }, statusText, access);
  if (failure) return failure;
  if (status === 407) return new Failure('A proxy asks for a name and password: write them into its variable');
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? 'elsewhere';
    return new Failure(`${access.address} redirects to ${target}: set STORE_API_URL to where the service is`);
  }
  return strangeAnswer(access.address, `status ${status}, ${headers.get('content-type') ?? 'no type'}`);
}
