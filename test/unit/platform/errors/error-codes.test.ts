import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { errorCodes, transportCodes } from '../../../../src/platform/errors/error-codes.js';

const source = new URL('../../../../src/', import.meta.url);

/** All of src except the table itself and the lists of what routes refuse. */
async function thrownFrom(): Promise<string> {
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !/error-codes\.ts$|\.controller\.ts$|refusal-responses\.ts$|^client/.test(file),
  );
  return (await Promise.all(files.map((file) => readFile(new URL(file, source), 'utf8')))).join('\n');
}

describe('the table of error codes', () => {
  it('has none that no refusal uses; the compiler checks the converse', async () => {
    const code = await thrownFrom();
    const listed = [...Object.values(errorCodes), transportCodes].flatMap((codes) => Object.keys(codes));
    // Codes for failures of other servers are composed of `upstream_` and the reason.
    const carried = (one: string) => code.includes(`'${one.replace(/^upstream_(?!failed)/, '')}'`);
    expect(listed.filter((one) => !carried(one))).toEqual([]);
  });

  it('explains each in a sentence', () => {
    const sentences = [...Object.values(errorCodes), transportCodes].flatMap((codes) => Object.values(codes));
    expect(sentences.filter((sentence) => !/^[A-Z].*\.$/.test(sentence))).toEqual([]);
  });
});
