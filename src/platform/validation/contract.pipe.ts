import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { fieldSpecsOf } from './field-spec.js';
import { isOptionalBody } from './optional-body.js';
import { readShape } from './read-shape.js';
import { isStrictBody } from './strict.js';

const locations = { body: 'body', query: 'query', param: 'path', custom: 'header' } as const;

/** Reads every argument of a handler that is typed as a shape; other arguments pass. */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!metatype || type === 'custom' || fieldSpecsOf(metatype).size === 0) return value;
    const strict = type === 'body' && isStrictBody(metatype);
    const given = value === undefined && type === 'body' && isOptionalBody(metatype) ? {} : value;
    return readShape(metatype as unknown as new () => object, given, locations[type], { strict });
  }
}
