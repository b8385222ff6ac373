import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';

const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;
const packages = createRequire(import.meta.url);

/** The official schema in a package's folder. */
async function schemaIn(name: string, ...path: string[]): Promise<Record<string, unknown>> {
  const text = await readFile(join(dirname(packages.resolve(`${name}/package.json`)), ...path), 'utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

function checkBy(ajv: Ajv, schema: object): (file: unknown) => void {
  const validate = ajv.compile(schema);
  return (file) => {
    if (!validate(file)) throw new Error(ajv.errorsText(validate.errors).slice(0, 2_000));
  };
}

function newAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  addFormats(ajv);
  // As RFC 3987 has them, but for what only looks like one.
  ajv.addFormat('iri-reference', /^[^\s<>"{}|\\^`]*$/);
  ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/);
  return ajv;
}

/** Throws for a file that breaks the schema of SARIF 2.1.0. */
export async function sarifCheck(): Promise<(file: unknown) => void> {
  const schema = await schemaIn('@microsoft/jest-sarif', 'lib', 'schemas', 'sarif-2.1.0-rtm.5.json');
  // It is of an older draft of JSON Schema, whose keywords mean the same here.
  const { id: _id, $schema: _draft, ...rules } = schema;
  return checkBy(newAjv(), rules);
}

/** Throws for a file that breaks the schema of CycloneDX 1.6. */
export async function cyclonedxCheck(): Promise<(file: unknown) => void> {
  const of = (name: string) =>
    schemaIn('@cyclonedx/cyclonedx-library', 'res', 'schema', `${name}.SNAPSHOT.schema.json`);
  const ajv = newAjv();
  for (const name of ['spdx', 'jsf-0.82']) {
    // The package's copies refer to each other by the names of their files.
    ajv.addSchema({ ...(await of(name)), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` });
  }
  return checkBy(ajv, await of('bom-1.6'));
}
