import { jest } from '@jest/globals';
import { Client, type QueryConfig } from 'pg';

/** From now on, prints every statement sent to PostgreSQL, with its values: `TEST_LOG_SQL=1`. */
export function printStatements(): void {
  const send = Reflect.get(Client.prototype, 'query') as (...parts: unknown[]) => unknown;
  const print = function (this: Client, ...parts: unknown[]): unknown {
    const [first, second] = parts as [string | QueryConfig, unknown];
    const { text, values = second, name = '' } = typeof first === 'string' ? { text: first } : first;
    process.stderr.write(`\n-- ${name}\n${text}\n-- ${JSON.stringify(values)}\n`);
    return Reflect.apply(send, this, parts);
  };
  jest.spyOn(Client.prototype, 'query').mockImplementation(print);
}
