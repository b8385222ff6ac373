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

export class AuditActor {
  @EnumField(auditActorKinds)
  kind: AuditActorKind;
  @UuidField({ nullable: true, description: 'Of the user or the API key' })
  id: string | null;
  @StringField({ nullable: true, description: 'null once the account is gone', example: 'maria' })
  name: string | null;
}

export class AuditSubject {
  @EnumField(auditSubjectTypes)
  type: AuditSubjectType;
  @StringField({ example: '0199a001-7c3e-7000-8000-3f2a1b0c9d8e' })
  id: string;
  @StringField({
    nullable: true,
    description: 'The name at that time; for people the current one',
    example: 'CI pipeline',
  })
  name: string | null;
}

/** Something that somebody did in an organization. */
export class AuditEntry {
  @UuidField()
  id: string;
  @DateTimeField()
  createdAt: Date;
  @EnumField(auditActionNames)
  action: AuditAction;
  @ObjectField(() => AuditActor)
  actor: AuditActor;
  @ObjectField(() => AuditSubject)
  subject: AuditSubject;
  @JsonField({
    bounds: 'none',
    description: 'Each field that changed: `from` and `to`, or `changed: true` if its values are not stored',
    example: { role: { from: 'viewer', to: 'admin' } },
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
  requestId: string | null;
}

export class AuditPage {
  @ArrayField(() => AuditEntry)
  data: AuditEntry[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class AuditQuery extends CursorPaging {
  @EnumField(auditActionNames, { optional: true })
  action?: AuditAction;
  @UuidField({ optional: true, description: 'The user or API key that did it' })
  actorId?: string;
  @EnumField(auditSubjectTypes, { optional: true })
  subjectType?: AuditSubjectType;
  @StringField({ optional: true, minLength: 1, maxLength: 36, description: 'The subject of the change' })
  subjectId?: string;
  @DateTimeField({ optional: true, description: 'From this time on' })
  since?: string;
  @DateTimeField({ optional: true, description: 'Before this time' })
  until?: string;
}
