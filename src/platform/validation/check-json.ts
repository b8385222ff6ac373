import { type Fault, plural, textFault } from './fault.js';
import type { JsonBounds } from './field-spec.js';

const depthFault = (bounds: JsonBounds): Fault => ({
  type: 'value_error',
  msg: `Objects and lists should lie at most ${plural(bounds.maxDepth, 'level')} deep`,
  ctx: { max_depth: bounds.maxDepth },
});

function tooMany(count: number, what: string): Fault {
  return { type: 'too_long', msg: `Input should have at most ${count} ${what}`, ctx: { max_length: count } };
}

function tooLong(length: number, what: string): Fault {
  const msg = `${what} should have at most ${plural(length, 'character')}`;
  return { type: 'string_too_long', msg, ctx: { max_length: length } };
}

/** One walk over a free object, which ends at the first fault. */
class JsonWalk {
  private entries = 0;
  private bytes = 0;

  constructor(private readonly bounds: JsonBounds) {}

  faultOf(value: unknown, depth: number): Fault | null {
    if (typeof value === 'string') return this.textFault(value, this.bounds.maxTextLength, 'Each text');
    if (typeof value !== 'object' || value === null) return null;
    if (depth > this.bounds.maxDepth) return depthFault(this.bounds);
    return Array.isArray(value) ? this.listFault(value, depth) : this.fieldsFault(value, depth);
  }

  private listFault(values: unknown[], depth: number): Fault | null {
    const { maxProperties } = this.bounds;
    if (values.length > maxProperties) return tooMany(maxProperties, 'entries in each list');
    for (const value of values) {
      const fault = this.entryFault() ?? this.faultOf(value, depth + 1);
      if (fault) return fault;
    }
    return null;
  }

  private fieldsFault(values: object, depth: number): Fault | null {
    const { maxProperties, maxKeyLength } = this.bounds;
    let properties = 0;
    for (const [name, value] of Object.entries(values)) {
      if (++properties > maxProperties) return tooMany(maxProperties, 'properties in each object');
      const fault =
        this.entryFault() ??
        this.textFault(name, maxKeyLength, 'The name of each property') ??
        this.faultOf(value, depth + 1);
      if (fault) return fault;
    }
    return null;
  }

  private entryFault(): Fault | null {
    const { maxEntries } = this.bounds;
    return ++this.entries > maxEntries ? tooMany(maxEntries, 'properties and list entries in all') : null;
  }

  private textFault(text: string, maxLength: number, what: string): Fault | null {
    if (text.length > maxLength) return tooLong(maxLength, what);
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > this.bounds.maxBytes) return tooMany(this.bounds.maxBytes, 'bytes of names and texts in all');
    return textFault(text);
  }
}

/** The first fault of a free object against its bounds, or null. */
export function jsonFault(value: object, bounds: JsonBounds): Fault | null {
  return new JsonWalk(bounds).faultOf(value, 1);
}
