import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.js';
import { Answers } from '../../common/http/answers.js';
import { ListField } from '../../common/validation/fields.js';
import { defaultSchema } from './default-schema.js';
import type { JsonSchema } from './json-schema.js';
import { scopedSchema } from './scoped-schema.js';

export class SchemaList {
  @ListField({ kind: 'string' })
  schemas: string[];
}

@ApiTags('schemas')
@Controller('schemas')
export class SchemasController {
  @Get('/')
  @Public()
  @Answers(200, SchemaList, 'List the JSON Schemas of what webhooks send')
  list(): SchemaList {
    return { schemas: [defaultSchema, scopedSchema].map(({ $id }) => String($id)) };
  }

  @Get('webhook-export.default.json')
  @Public()
  @Answers(200, undefined, 'Get the JSON Schema of the default shape')
  default(): JsonSchema {
    return defaultSchema;
  }

  @Get('webhook-export.scoped.json')
  @Public()
  @Answers(200, undefined, 'Get the JSON Schema of the scoped shape')
  scoped(): JsonSchema {
    return scopedSchema;
  }
}
