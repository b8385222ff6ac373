import { Controller, Get, type OnModuleInit, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.js';
import { Answers } from '../../platform/http/answers.js';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import { JsonSchemas } from '../../platform/openapi/json-schemas.js';
import { EnumField } from '../../platform/validation/fields.js';
import { storeEventSchemas } from './store-event-schemas.js';
import { type StoreEventType, storeEventTypes } from './store-event-types.js';

type SchemaFile = `${StoreEventType}.json`;

export class StoreSchemaPath {
  @EnumField(storeEventTypes.map((type): SchemaFile => `${type}.json`), { example: 'order.placed.json' })
  name: SchemaFile;
}

@ApiTags('schemas')
@Controller('schemas')
export class StoreSchemasController implements OnModuleInit {
  constructor(private readonly schemas: JsonSchemas) {}

  onModuleInit(): void {
    this.schemas.add(...Object.values(storeEventSchemas));
  }

  @Get('store-events/:name')
  @Public()
  @Answers(
    200,
    Object,
    'Get the JSON Schema of an event of the shop',
    'JSON Schema of what webhooks send of this type.',
  )
  ofEvent(@Param() { name }: StoreSchemaPath): JsonSchema {
    return storeEventSchemas[name.replace(/\.json$/, '') as StoreEventType];
  }
}
