import { type AuditActorKind, auditActorKinds } from '../../platform/audit/audit-actor.js';
import { EnumField, StringField, UuidField } from '../../platform/validation/fields.js';

/** Whoever did something to an order. */
export class OrderActor {
  @EnumField(auditActorKinds)
  kind: AuditActorKind;
  @UuidField({ nullable: true })
  id: string | null;
  @StringField({ nullable: true, description: 'null once the account is gone', example: 'admin' })
  name: string | null;
}
