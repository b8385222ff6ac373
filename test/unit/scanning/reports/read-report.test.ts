import { describe, expect, it } from '@jest/globals';
import { Invalid } from '../../../../src/common/errors/invalid.js';
import { readWhole } from '../../../support/reports.js';

const nuclei = '{"template-id":"t","info":{"name":"n"},"host":"a.example"}';
const sarif = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"L"}},"results":[{"message":{"text":"m"}}]}]}';
const zap =
  '{"@programName":"ZAP","site":[{"@name":"http://a.example","alerts":[{"pluginid":"1","name":"n","riskcode":"1"}]}]}';

describe('readReport', () => {
  it.each([
    ['sarif', sarif],
    ['sarif', '{"runs":[],"version":"2.1.0"}'],
    ['sarif', `  \n${sarif}\n `],
    ['zap-json', zap],
    ['nuclei-jsonl', nuclei],
    ['nuclei-jsonl', `\n\n${nuclei}\n${nuclei}\n`],
    ['nuclei-jsonl', `[${nuclei}]`],
    ['nuclei-jsonl', `not json\n${nuclei}`],
    ['nuclei-jsonl', `{"level":"info"}\n${nuclei}`],
  ])('finds %s by the content of %j', async (format, text) => {
    for (const pieceBytes of [1, 64 * 1024]) expect(await readWhole(text, { pieceBytes })).toMatchObject({ format });
  });

  it.each([
    ['', 'The report is empty'],
    ['   \n', 'not valid JSON: it ends too early'],
    ['{}', 'of no format that is taken'],
    ['[]', 'of no format that is taken'],
    ['5', 'of no format that is taken'],
    ['"runs"', 'of no format that is taken'],
    ['{"runs":5,"site":"x"}', 'of no format that is taken'],
    ['{"results":[{"check_id":"x"}],"errors":[]}', 'of no format that is taken'],
    ['<?xml version="1.0"?><OWASPZAPReport/>', 'not valid JSON: see byte 1'],
    [sarif.slice(0, -2), 'not valid JSON: it ends too early'],
    [sarif.slice(0, 30), 'not valid JSON: it ends too early'],
    [zap.slice(0, -9), 'not valid JSON: it ends too early'],
    [`${sarif}${sarif}`, 'not valid JSON'],
    [`{"runs":${'['.repeat(200)}`, 'nested deeper than 64 levels'],
    ['['.repeat(200), 'nested deeper than 64 levels'],
    ['{"a":'.repeat(200), 'nested deeper than 64 levels'],
  ])('refuses %j', async (text, sentence) => {
    await expect(readWhole(text)).rejects.toThrow(sentence);
    await expect(readWhole(text)).rejects.toBeInstanceOf(Invalid);
  });

  it.each([sarif, zap, `[${nuclei}]`])('refuses %j wherever it is cut', async (text) => {
    for (let length = 0; length < text.length; length++) {
      await expect(readWhole(text.slice(0, length))).rejects.toBeInstanceOf(Invalid);
    }
  });
});
