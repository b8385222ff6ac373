import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayField, StringField } from '../validation/fields.js';
import { type ErrorCode, meaningsOfCodes } from '../errors/error-codes.js';

const meanings = meaningsOfCodes();
/** Explains each code, for the schema `ErrorCode`: the generator leaves out the description of an enum with a name. */
export const meaningOfEachCode = [...meanings].map(([code, means]) => `- \`${code}\`: ${means}`).join('\n');

/** The interface description's ValidationError. */
export class ValidationError {
  @ApiProperty({ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } })
  loc: (string | number)[];
  @StringField({ example: 'Field required' })
  msg: string;
  @StringField({ example: 'missing' })
  type: string;
  @ApiPropertyOptional({
    description: 'The value that was sent there, shortened; never a secret',
    type: String,
    oneOf: ['string', 'number', 'boolean', 'null', 'array', 'object'].map((type) => ({
      type,
      ...(type === 'array' ? { items: {} } : {}),
    })),
  })
  input?: unknown;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  ctx?: Record<string, unknown>;
}

/** The interface description's HTTPValidationError: the body of a 422. */
export class HTTPValidationError {
  @ArrayField(() => ValidationError)
  detail: ValidationError[];
}

/** The body of every other refusal. */
export class ErrorBody {
  @StringField({ description: 'A sentence that says what is wrong and what to do' })
  detail: string;
  @ApiProperty({ enum: [...meanings.keys()], enumName: 'ErrorCode' })
  code: ErrorCode;
}
