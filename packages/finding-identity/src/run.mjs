// Checks another system: node src/run.mjs ./my-adapter.mjs [format …]
import { pathToFileURL } from 'node:url';
import { check } from './check.mjs';

const [file, ...formats] = process.argv.slice(2);
if (file === undefined) {
  console.error('Name the adapter: node src/run.mjs ./my-adapter.mjs [format …]');
  process.exit(2);
}
const { default: adapter } = await import(pathToFileURL(file).href);
const results = await check(adapter, formats.length > 0 ? { formats } : {});
for (const { format, name, faults } of results) {
  console.log(`${faults.length === 0 ? 'ok  ' : 'not '} ${format}: ${name}`);
  for (const fault of faults) console.log(`       ${fault}`);
}
const failed = results.filter(({ faults }) => faults.length > 0).length;
console.log(`${results.length - failed} of ${results.length} pairs are as expected`);
if (failed > 0) process.exitCode = 1;
