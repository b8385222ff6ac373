// Fails on every regular expression in src that is not linear: `npm run expressions`.
import './ts-loader.mjs';

const { findExpressions, findSlowExpressions } = await import('../test/support/expressions.ts');
const expressions = findExpressions();
const slow = await findSlowExpressions(expressions);
for (const line of slow) console.error(line);
console.log(`${expressions.length} regular expressions, ${slow.length} of them not linear`);
// The checker's worker would keep the process alive.
process.exit(slow.length === 0 ? 0 : 1);
