import type { IssueSeverity } from '@store-service/sdk';
import { readFileSync } from 'node:fs';
import { exitCodes, Failure } from '../failure.js';
import { severities } from '../values.js';

/** Findings that do not count until a given day is over: of a rule, in files, of an asset, or all of these at once. */
export interface Ignored {
  rule?: string;
  /** A path, or a pattern of one: `test/**`. */
  path?: string;
  /** The name of an asset, or a pattern of one. */
  asset?: string;
  reason: string;
  /** The last day, as 2026-12-31. */
  until: string;
}

/** When the gate is closed. */
export interface Policy {
  failOn?: IssueSeverity;
  newOnly?: boolean;
  /** How many issues of a severity are allowed. */
  maximum: Partial<Record<IssueSeverity, number>>;
  ignore: Ignored[];
}

export const noPolicy: Policy = { maximum: {}, ignore: [] };

const keys = ['failOn', 'newOnly', 'maximum', 'ignore'] as const;
const ignoreKeys = ['rule', 'path', 'asset', 'reason', 'until'] as const;
const scopes = ['rule', 'path', 'asset'] as const;
const maxBytes = 1_000_000;

const readErrors: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
};

type Fields = Record<string, unknown>;

/** Finds the word that was probably meant. */
type NearestWord = (given: string, words: readonly string[]) => string | undefined;

class PolicyReader {
  constructor(
    private readonly file: string,
    private readonly nearest: NearestWord,
  ) {}

  policyOf(document: unknown): Policy {
    const fields = this.fields(document ?? {}, 'the policy', keys);
    const { failOn, newOnly } = fields;
    if (newOnly !== undefined && typeof newOnly !== 'boolean') throw this.fault('newOnly is true or false');
    return {
      ...(failOn === undefined ? {} : { failOn: this.severity(failOn, 'failOn') }),
      ...(newOnly === undefined ? {} : { newOnly }),
      maximum: this.maximum(fields['maximum'] ?? {}),
      ignore: this.ignored(fields['ignore'] ?? []),
    };
  }

  private maximum(value: unknown): Policy['maximum'] {
    const lower = severities.map((severity) => severity.toLowerCase());
    const given = Object.entries(this.fields(value, 'maximum', lower));
    return Object.fromEntries(
      given.map(([severity, count]) => {
        if (typeof count !== 'number' || !Number.isInteger(count) || count < 0)
          throw this.fault(`maximum.${severity} is a whole number from 0`);
        return [severity.toUpperCase(), count];
      }),
    );
  }

  private ignored(value: unknown): Ignored[] {
    if (!Array.isArray(value)) {
      throw this.fault('ignore is a list, each entry with rule, path or asset, and with reason and until');
    }
    return value.map((entry: unknown, index) => {
      const fields = this.fields(entry, `ignore[${index}]`, ignoreKeys);
      const text = (name: (typeof ignoreKeys)[number]): string => {
        const given = fields[name];
        if (typeof given === 'string' && given.trim() !== '') return given.trim();
        const what = 'what is ignored has a rule, path or asset, a reason and a last day (until)';
        throw this.fault(`ignore[${index}] lacks ${name}: ${what}`);
      };
      const named = scopes.filter((scope) => fields[scope] !== undefined);
      const of = Object.fromEntries(
        (named.length === 0 ? (['rule'] as const) : named).map((name) => [name, text(name)]),
      );
      const reason = text('reason');
      const until = text('until');
      const isDay = /^\d{4}-\d\d-\d\d$/.test(until) && !Number.isNaN(Date.parse(until));
      if (!isDay) throw this.fault(`ignore[${index}].until is a day such as 2026-12-31, not ${until}`);
      return { ...of, reason, until };
    });
  }

  private severity(value: unknown, where: string): IssueSeverity {
    const severity = severities.find((one) => typeof value === 'string' && one === value.toUpperCase());
    if (severity) return severity;
    throw this.fault(`${where} is one of ${severities.join(', ').toLowerCase()}, not ${String(value)}`);
  }

  private fields(value: unknown, where: string, known: readonly string[]): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.fault(`${where} is a mapping with ${known.join(', ')}`);
    }
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown === undefined) return value as Fields;
    const near = this.nearest(unknown, known);
    const advice = near === undefined ? `there are ${known.join(', ')}` : `did you mean ${near}?`;
    throw this.fault(`${where} has no key ${unknown}: ${advice}`);
  }

  private fault(sentence: string): Failure {
    return new Failure(`${this.file}: ${sentence}`, exitCodes.usage);
  }
}

function contentOf(file: string): string {
  try {
    const content = readFileSync(file, 'utf8');
    if (content.length <= maxBytes) return content;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Failure(`Cannot read the policy ${file}: ${readErrors[code] ?? message}`, exitCodes.usage);
  }
  throw new Failure(`Cannot read the policy ${file}: it is larger than 1 MB`, exitCodes.usage);
}

/** Reads a policy, as YAML or JSON. Throws a `Failure` that names every fault in it. */
export async function readPolicy(file: string, nearest: NearestWord): Promise<Policy> {
  const content = contentOf(file);
  const { parse } = await import('yaml');
  let document: unknown;
  try {
    document = parse(content, { schema: 'core', uniqueKeys: true, maxAliasCount: 0 });
  } catch (error) {
    throw new Failure(`${file} is no YAML: ${error instanceof Error ? error.message : String(error)}`, exitCodes.usage);
  }
  return new PolicyReader(file, nearest).policyOf(document);
}
