import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { createApp } from '../../src/cli/app.js';

interface Described {
  $ref?: string;
  content?: Record<string, unknown>;
}

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { responses: Record<string, Described> };
}

/** Fails when a response does not match the operation in `/openapi.json`. */
export type ContractCheck = (method: string, path: string, status: number, type: string, body: unknown) => void;

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

function patternOf(path: string): RegExp {
  const parts = path.replace(/\/$/, '').split(/\{[^}]+\}/);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)).join('[^/]+')}/?$`);
}

function pointer(...steps: string[]): string {
  return steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

/** An error code that the route does not list is the usual cause. */
function codeHint(body: unknown): string {
  const code = (body as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? ` (the route's @Refuses must list "${code}")` : '';
}

/** The checks by access policy, shared by all files that share a loaded app: its description is the same in each. */
const registry = globalThis as { contracts?: WeakMap<object, Map<string, Promise<ContractCheck>>> };
const contracts = (registry.contracts ??= new WeakMap());

/** Checks every response against the interface description that the service itself publishes. */
export function holdToContract(baseUrl: string, accessPolicy: string): Promise<ContractCheck> {
  const checks = contracts.get(createApp) ?? new Map<string, Promise<ContractCheck>>();
  contracts.set(createApp, checks);
  const check = checks.get(accessPolicy) ?? readContract(baseUrl);
  checks.set(accessPolicy, check);
  check.catch(() => checks.delete(accessPolicy));
  return check;
}

interface KnownPath {
  path: string;
  pattern: RegExp;
}

/** The number of parts of a path, with or without a slash at its end. */
function lengthOf(path: string): number {
  return path.replace(/\/$/, '').split('/').length;
}

/** By their number of parts, since each response looks for its own; those with the fewest parameters first. */
function pathsByLength(paths: string[]): Map<number, KnownPath[]> {
  const known = new Map<number, KnownPath[]>();
  for (const path of paths.sort((one, other) => one.split('{').length - other.split('{').length)) {
    known.set(lengthOf(path), [...(known.get(lengthOf(path)) ?? []), { path, pattern: patternOf(path) }]);
  }
  return known;
}

async function readContract(baseUrl: string): Promise<ContractCheck> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'api');
  const paths = pathsByLength(Object.keys(document.paths));
  const validators = new Map<string, ValidateFunction>();

  return (method, url, status, type, body) => {
    const pathname = url.split('?')[0] ?? '';
    const described = paths
      .get(lengthOf(pathname))
      ?.find(({ path, pattern }) => pattern.test(pathname) && document.paths[path]?.[method]);
    const path = described?.path;
    if (path === undefined) return;
    const given = document.paths[path]?.[method]?.responses[status];
    const shared = given?.$ref?.split('/').at(-1);
    const response = shared === undefined ? given : document.components.responses[shared];
    if (!response) throw new Error(`/openapi.json knows no ${status} of ${method.toUpperCase()} ${path}`);
    if (!response.content) return;
    if (!response.content['application/json'] || !type.startsWith('application/json')) return;
    const place =
      shared === undefined ? ['paths', path, method, 'responses', String(status)] : ['components', 'responses', shared];
    const at = `api#/${pointer(...place, 'content', 'application/json', 'schema')}`;
    const validate = validators.get(at) ?? ajv.compile({ $ref: at });
    validators.set(at, validate);
    if (!validate(body)) {
      throw new Error(
        `${status} of ${method.toUpperCase()} ${path} breaks its schema: ${ajv.errorsText(validate.errors)}${codeHint(body)}`,
      );
    }
  };
}
