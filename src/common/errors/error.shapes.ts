import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayField, StringField } from '../validation/fields.js';

/** The document's ValidationError. */
export class ValidationError {
  @ApiProperty({ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } })
  loc: (string | number)[];
  @StringField({ example: 'Field required' })
  msg: string;
  @StringField({ example: 'missing' })
  type: string;
  @ApiPropertyOptional({
    description: 'The value that was sent, where it is short and no secret',
    type: String,
    oneOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
  })
  input?: unknown;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  ctx?: Record<string, unknown>;
}

/** The document's HTTPValidationError: the body of a 422. */
export class HTTPValidationError {
  @ArrayField(() => ValidationError)
  detail: ValidationError[];
}

/** The body of every other refusal. */
export class ErrorBody {
  @StringField({ description: 'A sentence that says what was wrong and what to do' })
  detail: string;
  @StringField({ description: 'The same for programs, in snake_case' })
  code: string;
}
