// Loaded into a process before anything else (`--import`). Counts what its JavaScript does, block by block, and notes the
// regular expressions that long texts are matched against; serves both at the address in COUNTED_WORK_FILE.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector';

/** A shorter text cannot block a process: even quadratic work on it takes only a few milliseconds. */
const longText = 5_000;
const expressions = new Map();
const exec = Reflect.get(RegExp.prototype, 'exec');

// test, match, replace, search and split all go through exec unless it is the built-in one.
Reflect.set(RegExp.prototype, 'exec', function noted(text) {
  if (text?.length - this.lastIndex * (this.sticky || this.global) >= longText) {
    expressions.set(`/${this.source}/${this.flags}`, { pattern: this.source, flags: this.flags });
  }
  return Reflect.apply(exec, this, [text]);
});

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The blocks that ran since the last call, with their counts. */
function stepsSinceLast() {
  let steps = 0;
  session.post('Profiler.takePreciseCoverage', (error, covered) => {
    if (error) throw error;
    for (const { functions } of covered.result) {
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    }
  });
  return steps;
}

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ steps: stepsSinceLast(), expressions: [...expressions.values()] }));
});
server.listen(0, '127.0.0.1', () => {
  writeFileSync(process.env.COUNTED_WORK_FILE, `http://127.0.0.1:${server.address().port}`);
});
server.unref();
