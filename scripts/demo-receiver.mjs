// A webhook receiver for trying things out: prints what arrives, and responds with 200.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const usage = `Usage: npm run demo:receiver -- [options]

Options:
  --port <number>    where to listen on 127.0.0.1 (default: 4010, where the demo's workflows send to)
  --fail <number>    answer 500 to so many deliveries first, to watch them come again (default: 0)
  --secret <whsec_>  the secret that deliveries are signed with (default: the demo's)
  --help             print this`;

/** The secret of the demo's workflows. */
const demoSecret = `whsec_${Buffer.from('Harbour Outfitters, the demo shop').toString('base64')}`;
const roots = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'];
const maxBytes = 64 * 2 ** 20;
const toleranceSeconds = 300;
const mostIssues = 8;

function readNumber(name, text, most) {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number <= most) return number;
  throw new Error(`--${name} should be a whole number from 0 to ${most}, not "${text}"`);
}

function readOptions() {
  const options = {
    port: { type: 'string', default: '4010' },
    fail: { type: 'string', default: '0' },
    secret: { type: 'string', default: demoSecret },
    help: { type: 'boolean', default: false },
  };
  const { values } = parseArgs({ options });
  const port = readNumber('port', values.port, 65_535);
  return { ...values, port, fail: readNumber('fail', values.fail, 1_000_000) };
}

/** The whole body, or null if it is larger than any payload. */
async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** In a word, whether the body is signed with the secret (Standard Webhooks 1.0.0). */
function signatureIn(headers, body, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return 'not signed';
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) < toleranceSeconds)) return 'signature too old';
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const good = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return good ? 'signature good' : 'SIGNATURE WRONG';
}

/** Received text, without control characters for the terminal. */
function harmless(text) {
  return String(text)
    .replaceAll(/\p{Cc}/gu, '?')
    .slice(0, 200);
}

function listOf(payload, root) {
  return Array.isArray(payload?.[root]) ? payload[root] : [];
}

/** The default payload variant has whole entries, the scoped one ids and scalars. */
function shapeOf(payload) {
  const entry = [...listOf(payload, 'issues'), ...listOf(payload, 'assets'), ...listOf(payload, 'integrations')][0];
  if (!entry) return null;
  return ['targets', 'scans', 'parameters'].some((field) => field in entry) ? 'default variant' : 'scoped variant';
}

/** An event of the shop, in two lines. */
function eventLines({ type, created_at, data }) {
  return [`${harmless(type)} at ${harmless(created_at)}`, harmless(JSON.stringify(data))];
}

function payloadLines(payload) {
  if (typeof payload?.type === 'string' && payload.data) return eventLines(payload);
  // What a chat would show.
  if (typeof payload?.text === 'string') return [harmless(payload.text)];
  const issues = listOf(payload, 'issues');
  const shown = issues
    .slice(0, mostIssues)
    .map(({ severity, name }) => `${harmless(severity).padEnd(8)}  ${harmless(name)}`);
  const rest = issues.length - shown.length;
  const credentials = listOf(payload, 'integrations').flatMap(({ name, parameters }) =>
    parameters ? [`${harmless(name)} (${Object.keys(parameters).map(harmless).join(', ')})`] : [],
  );
  return [
    roots.map((root) => `${root} ${listOf(payload, root).length}`).join(', '),
    ...shown,
    ...(rest > 0 ? [`and ${rest} more issues`] : []),
    ...(credentials.length > 0 ? [`with parameters of integrations: ${credentials.join(', ')}`] : []),
  ];
}

function parsed(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function describe(body, secret, headers) {
  const payload = parsed(body);
  const facts = [`${body.length.toLocaleString('en')} bytes`, signatureIn(headers, body, secret), shapeOf(payload)];
  const lines = payload === undefined ? ['The body is no JSON'] : payloadLines(payload);
  return { status: payload === undefined ? 400 : 200, facts: facts.filter(Boolean), lines };
}

function answer(request, response, status, facts, lines) {
  const id = request.headers['webhook-id'];
  const about = [...facts, ...(id ? [harmless(id)] : [])].join(', ');
  const text = [`${harmless(request.method)} ${harmless(request.url)}: ${about}`, ...lines, `answered ${status}`];
  console.log(`\n${text.join('\n  ')}`);
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
}

function main() {
  const { port, fail, secret, help } = readOptions();
  if (help) {
    console.log(usage);
    return;
  }
  let failures = fail;
  const receive = async (request, response) => {
    try {
      const body = await bodyOf(request);
      if (body === null) {
        response.setHeader('connection', 'close');
        answer(request, response, 413, ['too large'], []);
        return;
      }
      const { status, facts, lines } = describe(body, secret, request.headers);
      const failing = failures > 0;
      if (failing) failures--;
      answer(request, response, failing ? 500 : status, facts, lines);
    } catch (error) {
      console.log(`\nA request broke off: ${harmless(error.message)}`);
      response.destroy();
    }
  };
  const server = createServer((request, response) => void receive(request, response));
  server.on('error', (error) => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${port} is taken: give another by --port` : error.message);
    process.exit(1);
  });
  server.listen(port, '127.0.0.1', () => {
    console.log(`The receiver listens on http://127.0.0.1:${server.address().port}/hook. Ctrl-C stops it.`);
  });
}

try {
  main();
} catch (error) {
  console.error(`${error.message}\n\n${usage}`);
  process.exit(2);
}
