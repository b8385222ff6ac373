import { type ArgumentMetadata, Injectable, type ValidationError, ValidationPipe } from '@nestjs/common';
import { fieldNamesOf } from './dto.js';
import type { DtoClass } from './field-spec.js';
import { isOptionalBody } from './optional-body.js';
import { refuseProblems } from './problems.js';
import { isStrictBody } from './strict.js';
import { isTextual, sentFields, transformOptions, validatorOptions } from './validated.js';

const locations = { body: 'body', query: 'query', param: 'path' } as const;

class ErrorsFound extends Error {
  constructor(readonly errors: ValidationError[]) {
    super('class-validator found errors');
  }
}

/**
 * Nest's ValidationPipe for all routes: every argument of a handler that is typed as a DTO is made by class-transformer and
 * checked by class-validator, and becomes `Invalid`, a 422, for what it finds. Other arguments pass.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  constructor() {
    super({
      ...validatorOptions,
      transform: true,
      transformOptions,
      exceptionFactory: (errors) => new ErrorsFound(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!metatype || type === 'custom' || fieldNamesOf(metatype).size === 0) return value;
    const dto = metatype as DtoClass;
    const location = locations[type];
    const strict = type === 'body' && isStrictBody(dto);
    const given = value === undefined && type === 'body' && isOptionalBody(dto) ? {} : value;
    const sent = sentFields(dto, given, location, isTextual(location));
    try {
      const read: unknown = await super.transform(sent, metadata);
      refuseProblems(dto, sent, [], { location, strict });
      return read;
    } catch (error) {
      if (!(error instanceof ErrorsFound)) throw error;
      refuseProblems(dto, sent, error.errors, { location, strict });
      throw error;
    }
  }

  /** Leaves `constructor` and its like alone: no DTO takes them over, and free JSON may have them. */
  protected override stripProtoKeys(): void {}
}
