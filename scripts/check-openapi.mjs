// Checks the interface description against Redocly's recommended rules, and for complete examples, without a database:
// `npm run openapi`. With a file name it writes the description there as well: `npm run openapi -- openapi.json`.
import { writeFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { interfaceDescription } from './interface-description.mjs';

/** The document of the store gives these paths a slash at their end, and clients are built on them. */
const given = ['users', 'products', 'products/search', 'cart', 'orders', 'testimonials'];
const withSlash = new Set(given.map((path) => `#/paths/~1api~1v1~1${path.replace('/', '~1')}~1`));
/** A product's id is a number, so that "by-slug" is none. */
const notAmbiguous = '#/paths/~1api~1v1~1products~1{product_id}~1related';
const isGiven = ({ ruleId, location: [{ pointer } = {}] }) =>
  (ruleId === 'no-path-trailing-slash' && withSlash.has(pointer)) ||
  (ruleId === 'no-ambiguous-paths' && pointer === notAmbiguous);

const { document, lacking } = await interfaceDescription();
const [, , file] = process.argv;
if (file !== undefined) await writeFile(file, `${document}\n`);

const rules = { 'operation-description': 'error', 'tag-description': 'error', 'tags-alphabetical': 'off' };
const config = await createConfig({ extends: ['recommended'], rules });
const findings = (await lintFromString({ source: document, config })).filter((finding) => !isGiven(finding));
for (const { ruleId, message, location } of findings) console.error(`${ruleId} at ${location[0]?.pointer}: ${message}`);
for (const place of lacking) console.error(`${place} has no example`);
if (findings.length + lacking.length > 0) process.exitCode = 1;
else console.log('The interface description is sound');
