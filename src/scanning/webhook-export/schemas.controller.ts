import { Controller, Get, type OnModuleInit } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.js';
import { Answers } from '../../platform/http/answers.js';
import { ListField } from '../../platform/validation/fields.js';
import { defaultSchema } from './default-schema.js';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import { JsonSchemas } from '../../platform/openapi/json-schemas.js';
import { scopedSchema } from './scoped-schema.js';

export class SchemaList {
  @ListField({ kind: 'string' }, { maxItems: 100, example: ['/schemas/webhook-export.default.json'] })
  schemas: string[];
}

@ApiTags('schemas')
@Controller('schemas')
export class SchemasController implements OnModuleInit {
  constructor(private readonly schemas: JsonSchemas) {}

  onModuleInit(): void {
    this.schemas.add(defaultSchema, scopedSchema);
  }

  @Get()
  @Public()
  @Answers(
    200,
    SchemaList,
    'List the JSON Schemas of what webhooks send',
    'The addresses of the schemas of both variants of exports, and of the events of the shop.',
  )
  list(): SchemaList {
    return { schemas: this.schemas.addresses };
  }

  @Get('webhook-export.default.json')
  @Public()
  @Answers(
    200,
    Object,
    'Get the JSON Schema of the default variant',
    'JSON Schema of the payload that is sent unless the organization has chosen the scoped variant.',
  )
  default(): JsonSchema {
    return defaultSchema;
  }

  @Get('webhook-export.scoped.json')
  @Public()
  @Answers(
    200,
    Object,
    'Get the JSON Schema of the scoped variant',
    'JSON Schema of the payload with ids and plain fields, which contains no credentials.',
  )
  scoped(): JsonSchema {
    return scopedSchema;
  }
}
