import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  NumberField,
  StringField,
  UuidField,
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
export const mostShown = { queues: 200, backups: 10, nodes: 100, statements: 20, receivers: 50 } as const;

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
  @StringField({ nullable: true, description: 'What the newest of those said last' })
  last_error: string | null;
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

/** A process of the service. */
export class ServiceNode {
  @StringField({ example: 'shop-1' })
  host: string;
  @IntegerField({ example: 4711 })
  pid: number;
  @StringField({ example: '1.0.0' })
  version: string;
  @DateTimeField()
  started_at: Date;
  @DateTimeField({ description: 'When it last told of itself' })
  seen_at: Date;
}

/** A statement that took more than half a second, on one node and within the last hour. */
export class SlowStatement {
  @StringField({ description: 'Without its values', example: 'TABLE issues' })
  text: string;
  @StringField({ example: 'shop-1' })
  host: string;
  @IntegerField()
  times: number;
  @IntegerField({ description: 'Of the longest, with its wait for a connection and for locks', example: 1840 })
  longest_ms: number;
  @IntegerField()
  total_ms: number;
  @DateTimeField()
  last_at: string;
}

/** A webhook of the shop whose receiver fails. */
export class FailingReceiver {
  @UuidField()
  webhook_id: string;
  @StringField({ description: 'Without what follows `?`', example: 'https://erp.example.com/hooks/shop' })
  url: string;
  @DateTimeField({ nullable: true, description: 'Since when every attempt has failed' })
  failing_since: Date | null;
  @StringField({ nullable: true, description: 'Why the service disabled it; null while it goes on trying' })
  disabled_reason: string | null;
}

/** How many jobs it was. */
export class MovedJobs {
  @IntegerField({ min: 0, max: 2_000, description: 'At most 2,000: where there are more, ask again' })
  jobs: number;
}

export class QueuePath {
  @StringField({ minLength: 1, maxLength: 100, description: 'The task of the jobs', example: 'mail' })
  task: string;
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
  @ArrayField(() => ServiceNode, {
    maxItems: mostShown.nodes,
    description: 'Those that told of themselves within a minute and a half, the newest first',
  })
  nodes: ServiceNode[];
  @ArrayField(() => FailingReceiver, {
    maxItems: mostShown.receivers,
    description: 'Webhooks of the shop that fail, those that have failed longest first',
  })
  failing_receivers: FailingReceiver[];
  @ArrayField(() => SlowStatement, {
    maxItems: mostShown.statements,
    description: 'Of all nodes, those that took most time together first',
  })
  slow_statements: SlowStatement[];
}
