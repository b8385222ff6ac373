import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  NumberField,
  StringField,
} from '../../platform/validation/fields.js';
import { type BackupOutcome, backupOutcomes } from '../backups/backup-outcome.js';

export const checkNames = [
  'database',
  'clock',
  'jobs',
  'mail',
  'storage',
  'disk',
  'address',
  'certificate',
  'backup',
] as const;
export type CheckName = (typeof checkNames)[number];

/** How many of each the operator sees. */
export const mostShown = { queues: 200, backups: 10 } as const;

export const checkStates = ['ok', 'warning', 'failed', 'off'] as const;
export type CheckState = (typeof checkStates)[number];

/** Something that an operator looks at. */
export class OperationCheck {
  @EnumField(checkNames)
  name: CheckName;
  @EnumField(checkStates, { description: '`off`: there is nothing to check' })
  state: CheckState;
  @StringField({
    description: 'What was found, and what to do about it',
    example: 'It answers in 2 ms (PostgreSQL 18.0)',
  })
  message: string;
}

/** The jobs of a task. */
export class TaskQueue {
  @StringField({ example: 'mail' })
  task: string;
  @IntegerField({ description: 'Due, and taken by no worker' })
  waiting: number;
  @IntegerField({ description: 'For later, or for their next try' })
  planned: number;
  @IntegerField({ description: 'Given up after all tries' })
  failed: number;
  @NumberField({ description: 'For how long the oldest due one has waited', example: 0.4 })
  oldest_seconds: number;
}

/** A backup that the service made by itself, or tried to. */
export class Backup {
  @DateTimeField()
  begun_at: string;
  @DateTimeField({ nullable: true })
  ended_at: string | null;
  @EnumField(backupOutcomes)
  outcome: BackupOutcome;
  @StringField({ nullable: true, example: 'store-2026-11-28T03-15-00Z.backup' })
  name: string | null;
  @IntegerField({ nullable: true, example: 9025966 })
  bytes: number | null;
  @StringField({ nullable: true, description: 'Why it failed' })
  reason: string | null;
}

/** The state of the service, as its operator wants to see it. */
export class Operation {
  @StringField({ example: '1.0.0' })
  version: string;
  @ArrayField(() => OperationCheck, { maxItems: checkNames.length })
  checks: OperationCheck[];
  @ArrayField(() => TaskQueue, { maxItems: mostShown.queues, description: 'The one that waits longest first' })
  queues: TaskQueue[];
  @ArrayField(() => Backup, { maxItems: mostShown.backups, description: 'The newest ones' })
  backups: Backup[];
}
