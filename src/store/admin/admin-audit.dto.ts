import { auditActionNames, auditSubjectTypes } from '../../platform/audit/audit-actions.js';
import type { AuditAction, AuditSubjectType } from '../../platform/audit/audit-actions.js';
import { type AuditActorKind, auditActorKinds } from '../../platform/audit/audit-actor.js';
import type { AuditChanges } from '../../platform/audit/audit-changes.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  JsonField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';

export class ShopAuditActor {
  @EnumField(auditActorKinds, { description: 'anonymous: a write that ACCESS_POLICY=contract leaves open' })
  kind: AuditActorKind;
  @UuidField({ nullable: true })
  id: string | null;
  @StringField({ nullable: true, description: 'null once the account is gone', example: 'admin' })
  name: string | null;
}

export class ShopAuditSubject {
  @EnumField(auditSubjectTypes)
  type: AuditSubjectType;
  @StringField({ example: '17' })
  id: string;
  @StringField({
    nullable: true,
    description: 'The name at that time; for people the current one',
    example: 'Linen shirt',
  })
  name: string | null;
}

/** Something that somebody did in the shop. */
export class ShopAuditEntry {
  @UuidField()
  id: string;
  @DateTimeField()
  created_at: Date;
  @EnumField(auditActionNames)
  action: AuditAction;
  @ObjectField(() => ShopAuditActor)
  actor: ShopAuditActor;
  @ObjectField(() => ShopAuditSubject)
  subject: ShopAuditSubject;
  @JsonField({
    bounds: 'none',
    description: 'Each field that changed: `from` and `to`, or `changed: true` if its values are not stored',
    example: { price: { from: 49.9, to: 39.9 } },
  })
  changes: AuditChanges;
  @StringField({
    nullable: true,
    description: 'The address of the caller; null for jobs of the service',
    example: '203.0.113.7',
  })
  address: string | null;
  @StringField({
    nullable: true,
    description: 'The device of the caller, from its User-Agent',
    example: 'Firefox on Linux',
  })
  device: string | null;
  @StringField({
    nullable: true,
    description: 'The x-request-id of the request, which the service logs too',
    example: 'price-cut-1',
  })
  request_id: string | null;
}

export class ShopAuditPage {
  @ArrayField(() => ShopAuditEntry)
  data: ShopAuditEntry[];
  @StringField({ nullable: true })
  next_cursor: string | null;
}

// Unspecified: paging. By a cursor, unlike the other lists of the shop, since the log grows while it is read.
export class ShopAuditQuery extends CursorPaging {
  @EnumField(auditActionNames, { optional: true })
  action?: AuditAction;
  @UuidField({ optional: true, description: 'The account or API key that did it' })
  actor_id?: string;
  @EnumField(auditSubjectTypes, { optional: true })
  subject_type?: AuditSubjectType;
  @StringField({ optional: true, minLength: 1, maxLength: 36, description: 'The subject of the change', example: '17' })
  subject_id?: string;
  @DateTimeField({ optional: true, description: 'From this time on' })
  since?: string;
  @DateTimeField({ optional: true, description: 'Before this time' })
  until?: string;
}
