import { ChangedMeanwhile, type ExitCode, exitCodes, Failure } from '../failure.js';
import { type Access, typed } from './access.js';

interface Refusal {
  detail: string | { loc: (string | number)[]; msg: string }[];
  code?: unknown;
}

function isRefusal(body: unknown): body is Refusal {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return false;
  const { detail } = body;
  if (typeof detail === 'string') return true;
  return Array.isArray(detail) && detail.every((entry: unknown) => typeof entry === 'object' && entry !== null);
}

function sentenceOf({ detail }: Refusal): string {
  if (typeof detail === 'string') return detail;
  return detail.map(({ loc, msg }) => (Array.isArray(loc) ? `${loc.join('.')}: ${msg}` : msg)).join('\n       ');
}

/** The failure for a response from something other than the service: a web page, another program. */
export function strangeAnswer(address: string, what: string): Failure {
  return new Failure(`${address} does not answer as Store Service does (${what}): check STORE_API_URL`);
}

const forbiddenAdvice = 'Set STORE_API_KEY to a key that may, or log in with one';
const noKeyAdvice =
  'An API key says which organization you act for, and what you may do there. `store login` makes one, or keeps one\n' +
  '       that you have; in a pipeline, set STORE_API_KEY to an API key. Admins make them: store keys create';

function authenticationSentence({ keyFrom }: Access, reason: string): string {
  if (keyFrom === typed) return reason;
  // The service's own sentence is for people who write requests.
  if (keyFrom === null) return `there is no API key\n       ${noKeyAdvice}`;
  const advice =
    keyFrom === 'STORE_API_KEY'
      ? 'STORE_API_KEY is not a key that the service takes: set it to a valid one'
      : `${keyFrom} holds a key that the service does not take: run \`store login\``;
  return `${reason}\n       ${advice}`;
}

function exitCodeOf(status: number): ExitCode {
  return status === 404 ? exitCodes.notFound : exitCodes.failed;
}

/** The failure for a response other than 2xx; `body` is undefined if it is not JSON. */
export function refusal(response: Response, body: unknown, access: Access): Failure {
  const { status, statusText, headers } = response;
  const { address } = access;
  const sentence = isRefusal(body) ? sentenceOf(body) : null;
  if (status === 401) {
    const reason = authenticationSentence(access, sentence ?? statusText);
    return new Failure(`Not authenticated: ${reason}`, exitCodes.notAllowed);
  }
  if (status === 403) {
    return new Failure(`Not allowed: ${sentence ?? statusText}\n       ${forbiddenAdvice}`, exitCodes.notAllowed);
  }
  if (status >= 500) {
    return new Failure(`The service failed (${status}): ${sentence ?? statusText}`, exitCodes.failed, true);
  }
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? 'elsewhere';
    return new Failure(`${address} redirects to ${target}: set STORE_API_URL to where the service is`);
  }
  if (sentence === null) return strangeAnswer(address, `status ${status}, ${headers.get('content-type') ?? 'no type'}`);
  if (status === 412) return new ChangedMeanwhile(sentence);
  const isRunning = isRefusal(body) && body.code === 'request_running';
  return new Failure(sentence, exitCodeOf(status), status === 429 || isRunning);
}
