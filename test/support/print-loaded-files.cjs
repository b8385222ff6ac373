// Lists on standard error, at its end, the CommonJS files that a process has loaded: `node --require` this file.
const { writeSync } = require('node:fs');

process.on('exit', () => writeSync(2, `loaded ${JSON.stringify(Object.keys(require.cache))}\n`));
