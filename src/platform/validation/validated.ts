import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { faultOf, isFields } from './check-value.js';
import { fieldSpecsOf, requestDto } from './dto.js';
import type { DtoClass } from './field-spec.js';
import { fieldValue, parsedFields } from './field-value.js';
import { assertFields, refuseProblems } from './problems.js';

/**
 * Only fields that are known are taken over, and one that is left out is no property of the DTO. Unknown names are therefore
 * found in what was sent (`problems.ts`), which also knows those that class-transformer never looks at, such as `constructor`.
 */
export const transformOptions = { excludeExtraneousValues: true, exposeUnsetFields: false };
export const validatorOptions = { stopAtFirstError: true, forbidUnknownValues: false };

export interface Reading {
  /** Fields that the DTO does not know are refused rather than ignored, at any depth. */
  strict?: boolean;
  /** All values are texts, to be read as their fields' kinds, as those of a query and a path always are. */
  textual?: boolean;
}

export function isTextual(location: string): boolean {
  return location === 'query' || location === 'path';
}

/** The fields that were sent as a DTO, their texts parsed; throws `Invalid` where there are none. */
export function sentFields(dto: DtoClass, value: unknown, location: string, textual: boolean): Record<string, unknown> {
  const sent = assertFields(dto, value, location);
  return textual ? parsedFields(dto, sent) : sent;
}

/**
 * What was sent as a DTO whose fields are all ours, or undefined where anything is wrong. The fields have the values and the
 * checks that class-transformer and class-validator give them; a stream of elements has no time for their reflection.
 */
function readSound(dto: DtoClass, sent: Record<string, unknown>, strict: boolean): object | undefined {
  const specs = fieldSpecsOf(dto);
  const read = new dto() as Record<string, unknown>;
  const within = (part: DtoClass, fields: Record<string, unknown>) => readSound(part, fields, strict) ?? false;
  for (const [name, spec] of specs) {
    const value = fieldValue(sent, name, spec, within);
    if (faultOf(value, spec) !== null) return undefined;
    if (spec.kind === 'array' && Array.isArray(value) && !value.every(isFields)) return undefined;
    if (value !== undefined) read[name] = value;
  }
  if (strict && Object.keys(sent).some((name) => !specs.has(name))) return undefined;
  return read;
}

/**
 * Reads a value as a DTO, as the pipe of all routes does, for what reaches no pipe: elements of streams, forms, lines of files,
 * reads that memory answers. Throws `Invalid` with at most `maxFaults` problems.
 */
export function validated<T extends object>(
  dto: new () => T,
  value: unknown,
  location: string,
  { strict = false, textual = isTextual(location) }: Reading = {},
): T {
  const sent = sentFields(dto, value, location, textual);
  const sound = requestDto(dto).isOurs ? readSound(dto, sent, strict) : undefined;
  if (sound) return sound as T;
  const read = plainToInstance(dto, sent, transformOptions);
  refuseProblems(dto, sent, validateSync(read, validatorOptions), { location, strict });
  return read;
}
