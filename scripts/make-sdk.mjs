// Generates packages/sdk/src/generated from the interface description: `npm run sdk`. With --check it writes nothing, and fails
// if the committed files differ from what the description gives.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { interfaceDescription } from './interface-description.mjs';

const committed = fileURLToPath(new URL('../packages/sdk/src/generated', import.meta.url));

/** Written for every client, but used by none of this service's operations. */
const unused = ['params', 'queryKeySerializer'];

async function withoutUnused(folder) {
  for (const name of unused) await rm(join(folder, `core/${name}.gen.ts`));
  const index = join(folder, 'client/index.ts');
  const lines = (await readFile(index, 'utf8')).split('\n');
  await writeFile(index, lines.filter((line) => !unused.some((name) => line.includes(`core/${name}.gen`))).join('\n'));
}

/** Edits a generated file; throws if the generator no longer writes the text to be edited. */
async function edit(folder, file, ...edits) {
  let source = await readFile(join(folder, file), 'utf8');
  for (const [pattern, replacement] of edits) {
    if (!pattern.test(source))
      throw new Error(`The generator no longer writes ${pattern} in ${file}: look at its version`);
    source = source.replace(pattern, replacement);
  }
  await writeFile(join(folder, file), source);
}

/** Parameters are plain in paths, and plain or repeated in queries: no operation uses another style. */
const plainParameters = `
export const serializePrimitiveParam = ({ allowReserved, name, value }: SerializePrimitiveParam) =>
  \`\${name}=\${allowReserved ? value : encodeURIComponent(value)}\`;

export const serializeArrayParam = ({
  allowReserved,
  name,
  value,
}: SerializeOptions<ArraySeparatorStyle> & { value: unknown[] }) =>
  value
    .map((one) => serializePrimitiveParam({ allowReserved, name, value: String(one).replaceAll(',', '\\\\,') }))
    .join('&');

export const serializeObjectParam = ({
  name,
}: SerializeOptions<ObjectSeparatorStyle> & { value: Record<string, unknown> | Date }): string => {
  throw new TypeError(\`The parameter \${name} is an object: no operation takes one\`);
};
`;
const plainPath = `export const defaultPathSerializer = ({ path, url }: PathSerializer) =>
  url.replace(/\\{(\\w+)\\}/g, (_, name: string) => encodeURIComponent(String(path[name])));

`;

/** Removes what the generator writes for every service and this one does not need, a third of the whole. */
async function trim(folder) {
  await edit(folder, 'core/serverSentEvents.gen.ts', [/export const createSseClient[^]*/, '']);
  await edit(
    folder,
    'client/client.gen.ts',
    [/import \{ createSseClient \}.*\n/, ''],
    [/ {2}const makeSseFn[^]*?(?= {2}const _buildUrl)/, ''],
    [/ {4}sse: \{[^]*? {4}\},\n/, ''],
  );
  await edit(
    folder,
    'client/client.gen.ts',
    ...['connect', 'head', 'options', 'trace'].map((name) => [new RegExp(` {4}${name}: makeMethodFn.*\n`), '']),
  );
  // Tokens and keys are sent in headers only, and interceptors are never removed.
  await edit(
    folder,
    'client/utils.gen.ts',
    [/ {2}clear\(\): void \{[^]*?(?= {2}use\(fn)/, ''],
    [/const checkForExistence = [^]*?\n\};\n\n/, ''],
    [/if \(checkForExistence\(options, auth\.name\)\)/, "if (options.headers.has(auth.name ?? 'Authorization'))"],
    [/ {4}switch \(auth\.in\) \{[^]*?\n {4}\}\n/, '    options.headers.set(name, token);\n'],
  );
  await edit(folder, 'core/auth.gen.ts', [/ {2}if \(auth\.scheme === 'basic'\) \{[^]*?\n {2}\}\n\n/, '']);
  await edit(folder, 'core/pathSerializer.gen.ts', [/\nexport const [^]*/, plainParameters]);
  await edit(
    folder,
    'core/utils.gen.ts',
    [/import \{[^}]*\} from '\.\/pathSerializer\.gen\.js';\n/, ''],
    [/export const PATH_PARAM_RE.*\n\n/, ''],
    [/export const defaultPathSerializer[^]*?(?=export const getUrl)/, plainPath],
  );
  await edit(
    folder,
    'core/bodySerializer.gen.ts',
    [/const serializeUrlSearchParamsPair[^]*?\n\};\n\n/, ''],
    [/export const urlSearchParamsBodySerializer[^]*?\n\};\n/, ''],
  );
  await edit(folder, 'client/index.ts', [/ {2}urlSearchParamsBodySerializer,\n/, '']);
  // Clients are held by their makers: a registry would keep the last one, and its session, forever.
  await edit(
    folder,
    'sdk.gen.ts',
    [/class HeyApiRegistry[^]*?\n\}\n\n/, ''],
    [/ {4}public static readonly __registry.*\n {4}\n/, ''],
    [/ {8}StoreApi\.__registry\.set.*\n/, ''],
    // A call with another client would bypass the session.
    [/\(options\??\.client \?\? this\.client\)/g, 'this.client'],
    [/ {4}\/\*\*\n {5}\* You can provide a client instance[^]*?client\?: Client;\n/, ''],
  );
  // The client sends JSON anyway.
  const jsonHeaders = / {12}headers: \{\n {16}'Content-Type': 'application\/json',\n.*\n {12}\}\n/g;
  await edit(folder, 'sdk.gen.ts', [jsonHeaders, '']);
}

/** A report may be the body itself, in one of many types, or a file in a form. The generator only types the file. */
function withFilesAsForms(document) {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const { content } = operation.requestBody ?? {};
    const form = content?.['multipart/form-data'];
    if (form) operation.requestBody.content = { 'multipart/form-data': form };
  }
  return document;
}

/** Streams are read by `fetch` itself: the generator's client for them is larger than all the rest. */
function withoutStreams(document) {
  for (const item of Object.values(document.paths)) {
    for (const [method, { responses }] of Object.entries(item)) {
      if (responses[200]?.content?.['text/event-stream']) delete item[method];
    }
  }
  return document;
}

/** The values that people choose from, by the field of the description that has them. The SDK exports each as a constant. */
const namedEnums = {
  ApiKeyRole: 'ApiKey.role',
  AssetClass: 'Asset.class',
  AssetType: 'Asset.type',
  AttachmentType: 'EventAttachment.type',
  DeliveryStatus: 'Delivery.status',
  EventLevel: 'ScanEvent.level',
  EventStage: 'ScanEvent.stage',
  IntegrationKind: 'Integration.kind',
  IssueCategory: 'Issue.category',
  IssueSeverity: 'Issue.severity',
  IssueStatus: 'Issue.status',
  MemberRole: 'OrganizationMember.role',
  OrderStatus: 'Order.next_statuses',
  ScanKind: 'ResourceScan.kind',
  ScanStatus: 'ResourceScan.status',
};
/** Those that stand in a parameter alone, by their operation. */
const namedParameters = {
  OrderQueue: { path: '/api/v1/admin/orders', method: 'get', parameter: 'queue' },
  ReportFormat: { path: '/api/v1/scans/import', method: 'post', parameter: 'format' },
};

/** The codes of refusals stay a type: they are compared with literals, and a constant of so many would be large. */
function withErrorCodesAsType(document) {
  const { type: _, enum: codes, ...rest } = document.components.schemas.ErrorCode;
  document.components.schemas.ErrorCode = { ...rest, anyOf: codes.map((code) => ({ const: code })) };
  return document;
}

/** Replaces equal lists of values by a schema of their own: the generator makes constants of those. */
function withNamedEnums(document) {
  const { paths, components } = document;
  const names = new Map();
  const name = (as, { enum: values }) => {
    names.set(JSON.stringify(values), as);
    components.schemas[as] = { type: 'string', enum: values };
  };
  for (const [as, place] of Object.entries(namedEnums)) {
    const [schema, field] = place.split('.');
    const described = components.schemas[schema].properties[field];
    name(as, described.items ?? described);
  }
  for (const [as, { path, method, parameter }] of Object.entries(namedParameters)) {
    name(as, paths[path][method].parameters.find((one) => one.name === parameter).schema);
  }
  const refer = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(refer);
    const { type: _, enum: values, ...rest } = value;
    const as = Array.isArray(values) ? names.get(JSON.stringify(values)) : undefined;
    if (as !== undefined) return { ...rest, $ref: `#/components/schemas/${as}` };
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, refer(part)]));
  };
  const named = new Set(names.values());
  const schemas = Object.entries(components.schemas).map(([as, schema]) => [
    as,
    named.has(as) ? schema : refer(schema),
  ]);
  return { ...document, paths: refer(paths), components: { ...components, schemas: Object.fromEntries(schemas) } };
}

async function generate(folder) {
  const { document } = await interfaceDescription();
  const changes = [withFilesAsForms, withoutStreams, withErrorCodesAsType, withNamedEnums];
  const input = join(folder, 'openapi.json');
  await writeFile(input, JSON.stringify(changes.reduce((changed, change) => change(changed), JSON.parse(document))));
  const output = join(folder, 'generated');
  await createClient({
    input,
    logs: { level: 'silent', file: false },
    output: { path: output, entryFile: false, importFileExtension: '.js' },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      { name: '@hey-api/typescript', definitions: { case: 'preserve' }, enums: 'javascript' },
      {
        name: '@hey-api/sdk',
        operations: {
          strategy: 'single',
          containerName: 'StoreApi',
          nesting: 'operationId',
          nestingDelimiters: /_/,
          methods: 'instance',
        },
      },
    ],
  });
  await withoutUnused(output);
  await trim(output);
  return output;
}

async function filesOf(folder) {
  if (!existsSync(folder)) return new Map();
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])));
}

const work = await mkdtemp(join(tmpdir(), 'store-sdk-'));
try {
  const made = await generate(work);
  if (process.argv.includes('--check')) {
    const [now, then] = [await filesOf(made), await filesOf(committed)];
    const names = new Set([...now.keys(), ...then.keys()]);
    const stale = [...names].filter((name) => now.get(name) !== then.get(name));
    for (const name of stale) console.error(`packages/sdk/src/generated/${name} is stale: npm run sdk`);
    if (stale.length > 0) process.exitCode = 1;
    else console.log('The SDK is what the interface description gives');
  } else {
    await rm(committed, { recursive: true, force: true });
    await cp(made, committed, { recursive: true });
    console.log('packages/sdk/src/generated is made');
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
