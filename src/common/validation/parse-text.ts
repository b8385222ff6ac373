import type { Fault } from './check-value.js';
import type { FieldSpec } from './field-spec.js';

const truths = new Set(['true', '1', 'yes', 'y', 'on', 't']);
const untruths = new Set(['false', '0', 'no', 'n', 'off', 'f']);

function parseInteger(text: string): number | Fault {
  if (!/^\s*[+-]?\d+(\.0+)?\s*$/.test(text)) {
    return { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' };
  }
  const value = Number(text);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}

/** Reads the text of a query or path value as its field's kind; a `Fault` where it cannot be. */
export function parseText(text: string, spec: FieldSpec): unknown {
  switch (spec.kind) {
    case 'integer':
    case 'id':
      return parseInteger(text);
    case 'number': {
      const value = text.trim() === '' ? NaN : Number(text);
      return Number.isNaN(value)
        ? { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' }
        : value;
    }
    case 'boolean': {
      const word = text.toLowerCase();
      if (truths.has(word)) return true;
      if (untruths.has(word)) return false;
      return { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' };
    }
    default:
      return text;
  }
}
