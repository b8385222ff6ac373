import { JsonField, ListField } from '../../common/validation/fields.js';

export class WorkflowPreview {
  @JsonField({ description: 'A payload of the default shape; parameters are masked for all but admins' })
  default: Record<string, unknown>;
  @JsonField({ description: 'A payload of the scoped shape' })
  scoped: Record<string, unknown>;
  @ListField(
    { kind: 'string' },
    { description: 'Where the default shape carries credentials', example: ['integrations[0].parameters.apiKey'] },
  )
  credentials: string[];
}
