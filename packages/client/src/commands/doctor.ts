import { accessSync, constants } from 'node:fs';
import type { Access } from '../api/access.js';
import { type Proxy, proxyFor, proxyInWords } from '../api/proxy.js';
import { asItIs } from '../api/service.js';
import { Failure } from '../failure.js';
import { harmlessLine } from '../output/harmless.js';
import { printJson } from '../output/json.js';
import { clientVersion, versionNotice } from '../version.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

interface Finding {
  check: 'address' | 'proxy' | 'service' | 'certificate' | 'clock' | 'key' | 'version';
  ok: boolean;
  message: string;
}

/** Signatures of webhooks and codes of authenticator apps bear no more. */
const clockToleranceMs = 60_000;

const well = (check: Finding['check'], message: string): Finding => ({ check, ok: true, message });
const ill = (check: Finding['check'], message: string): Finding => ({ check, ok: false, message });

function addressFinding({ address, keyFrom, context }: Access): Finding {
  const of = context === undefined ? '' : ` of the context ${context}`;
  const key = keyFrom === null ? 'no key' : `key from ${keyFrom}`;
  return well('address', `${address}${of} (${key})`);
}

function proxyFinding(proxy: Proxy | null): Finding {
  return well('proxy', proxy ? proxyInWords(proxy) : 'none: the service is called directly');
}

/** Node.js only warns of a file that it cannot read. */
function authorityFault({ NODE_EXTRA_CA_CERTS: file }: NodeJS.ProcessEnv): string | null {
  if (!file) return null;
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch {
    return `NODE_EXTRA_CA_CERTS names ${file}, which cannot be read: correct it, or unset it`;
  }
}

function certificateFinding(address: string, env: NodeJS.ProcessEnv, failure: Failure | null): Finding {
  const fault = authorityFault(env);
  if (fault !== null) return ill('certificate', fault);
  const extra = env['NODE_EXTRA_CA_CERTS'] ? ', with the authority of NODE_EXTRA_CA_CERTS' : '';
  if (failure && /certificate/.test(failure.message)) return ill('certificate', failure.message);
  if (address.startsWith('https:')) {
    return failure ? ill('certificate', 'not seen') : well('certificate', `trusted${extra}`);
  }
  const isHere = /^http:\/\/(localhost|127\.|\[::1\])/.test(address);
  const advice = 'the key travels in the clear: use https:// where the service is on another machine';
  return isHere ? well('certificate', 'none is needed on this machine') : ill('certificate', `none: ${advice}`);
}

function clockFinding(date: string | null, now: number): Finding | null {
  const theirs = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return null;
  const off = now - theirs;
  if (Math.abs(off) <= clockToleranceMs) return well('clock', 'as that of the service');
  const seconds = Math.round(Math.abs(off) / 1_000);
  const which = off > 0 ? 'ahead of' : 'behind';
  return ill('clock', `${seconds} s ${which} the service: set it by a time server (NTP), or signatures are refused`);
}

async function keyFinding({ api, access }: Context): Promise<Finding> {
  if (access.key === null) return ill('key', 'there is none: run `store login`, or set STORE_API_KEY');
  try {
    const { name, role } = (await api.organizations.current()).data;
    return well('key', `acts as ${role} of ${name}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return ill('key', error.message);
  }
}

function versionFinding(version: string | null): Finding {
  const notice = version === null ? null : versionNotice(version);
  if (notice !== null) return ill('version', notice);
  return well('version', version === null ? `client ${clientVersion}` : `${version} of both`);
}

/** What the service itself answers, or why it does not. */
async function reach(context: Context): Promise<{ response: Response; ms: number } | Failure> {
  const since = performance.now();
  try {
    const { address } = context.access;
    const headers = { accept: asItIs };
    const response = await context.api.request(`${address}/health`, { headers, signal: AbortSignal.timeout(15_000) });
    await response.arrayBuffer();
    return { response, ms: Math.round(performance.now() - since) };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

async function findingsOf(context: Context): Promise<Finding[]> {
  const { access, surroundings } = context;
  const findings = [addressFinding(access)];
  try {
    findings.push(proxyFinding(proxyFor(access.address, surroundings.env)));
  } catch (error) {
    if (error instanceof Failure) return [...findings, ill('proxy', error.message)];
    throw error;
  }
  const reached = await reach(context);
  if (reached instanceof Failure) {
    return [
      ...findings,
      ill('service', reached.message),
      certificateFinding(access.address, surroundings.env, reached),
    ];
  }
  const { response, ms } = reached;
  const version = response.headers.get('x-service-version');
  const isService = response.ok && version !== null;
  const strange = `${access.address} answers ${response.status}, and not as Store Service: check the address`;
  findings.push(isService ? well('service', `answers in ${ms} ms`) : ill('service', strange));
  findings.push(certificateFinding(access.address, surroundings.env, null));
  const clock = clockFinding(response.headers.get('date'), Date.now());
  if (clock) findings.push(clock);
  return isService ? [...findings, await keyFinding(context), versionFinding(version)] : findings;
}

/** `doctor`: says of each part of the way to the service whether it is well, and what to do. */
export async function examine(context: Context, format: OutputFormat): Promise<void> {
  const { output } = context;
  const findings = await findingsOf(context);
  if (format === 'json') await printJson(output, findings);
  else {
    for (const { check, ok, message } of findings) {
      const state = output.paint(ok ? 'ok    ' : 'failed', ok ? 'green' : 'red');
      const [first = '', ...more] = message.split('\n').map((line) => harmlessLine(line.trim()));
      await output.write(
        `${state}  ${check.padEnd(11)}  ${first}\n${more.map((line) => `${' '.repeat(21)}${line}\n`).join('')}`,
      );
    }
  }
  const failed = findings.filter(({ ok }) => !ok).map(({ check }) => check);
  if (failed.length > 0) throw new Failure(`Not well: ${failed.join(', ')}`);
}
