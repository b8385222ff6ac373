const maxText = 200;
const maxEntries = 10;
const maxLevels = 4;
/** For all texts in one echo together. */
const maxCharacters = 1_000;
const cut = '…';
const hidden = '•••';
/** Names of fields that usually hold secrets, which no answer may repeat. */
const secretName = /pass|pwd|secret|token|credential|cookie|auth|key|code|otp|pin$/i;

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length > length ? `${characters.slice(0, length).join('')}${cut}` : text;
}

/** Copies a value as far as its budget goes. */
class Echo {
  private characters = maxCharacters;

  of(value: unknown, level = 0): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : cut;
    if (typeof value !== 'object' || value === null) return value;
    if (level === maxLevels || this.characters <= 0) return cut;
    return Array.isArray(value) ? this.list(value, level) : this.fields(value as Record<string, unknown>, level);
  }

  private text(text: string): string {
    if (!text.isWellFormed()) return cut;
    const short = shortened(text.replaceAll('\0', ''), Math.max(0, Math.min(maxText, this.characters)));
    this.characters -= short.length;
    return short;
  }

  private list(values: unknown[], level: number): unknown[] {
    const shown = values.slice(0, maxEntries).map((value) => this.of(value, level + 1));
    return values.length > maxEntries ? [...shown, cut] : shown;
  }

  private fields(values: Record<string, unknown>, level: number): Record<string, unknown> {
    const shown: [string, unknown][] = [];
    for (const name in values) {
      if (shown.length === maxEntries) {
        shown.push([cut, cut]);
        break;
      }
      const value = secretName.test(name.slice(0, maxText)) ? hidden : this.of(values[name], level + 1);
      shown.push([this.text(name), value]);
    }
    return Object.fromEntries(shown);
  }
}

/**
 * A received value for a refusal: texts are shortened, lists and objects cut after a few entries, and fields with names
 * of secrets masked. Undefined for numbers that JSON cannot represent, and for invalid text.
 */
export function echoed(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  if (typeof value !== 'string') return new Echo().of(value);
  return value.includes('\0') || !value.isWellFormed() ? undefined : shortened(value, maxText);
}
