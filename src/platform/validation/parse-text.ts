import type { Fault } from './fault.js';
import type { FieldSpec } from './field-spec.js';

const truths = new Set(['true', '1', 'yes', 'y', 'on', 't']);
const untruths = new Set(['false', '0', 'no', 'n', 'off', 'f']);
const integerPattern = /^[+-]?\d+(\.0+)?$/;
const numberPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function parseInteger(text: string): number | Fault {
  if (!integerPattern.test(text)) {
    return { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' };
  }
  // All bounds of ours lie within these, where no digit is lost and no zero is negative.
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text))) + 0;
}

function parseNumber(text: string): number | Fault {
  if (!numberPattern.test(text)) {
    return { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' };
  }
  return Number(text) + 0;
}

function parseBoolean(text: string): boolean | Fault {
  const word = text.toLowerCase();
  if (truths.has(word)) return true;
  if (untruths.has(word)) return false;
  return { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' };
}

/** Parses the text of a query or path value as its field's kind; returns a `Fault` where it cannot. */
export function parseText(text: string, spec: FieldSpec): string | number | boolean | Fault {
  switch (spec.kind) {
    case 'integer':
    case 'id':
      return parseInteger(text.trim());
    case 'number':
      return parseNumber(text.trim());
    case 'boolean':
      return parseBoolean(text.trim());
    default:
      return text;
  }
}
