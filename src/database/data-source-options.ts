import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { connectionExtras } from '../connections/connection-extras.js';
import { Store1700000000000 } from './migrations/1700000000000-store.js';
import { Scanning1700000001000 } from './migrations/1700000001000-scanning.js';
import { WebhookExport1700000002000 } from './migrations/1700000002000-webhook-export.js';
import { Triage1700000004000 } from './migrations/1700000004000-triage.js';
import { Quotas1700000007000 } from './migrations/1700000007000-quotas.js';
import { DeliveryList1700000008000 } from './migrations/1700000008000-delivery-list.js';
import { OrderMemory1700000009000 } from './migrations/1700000009000-order-memory.js';
import { ProductSearch1700000009100 } from './migrations/1700000009100-product-search.js';
import { NamesInOrder1700000009200 } from './migrations/1700000009200-names-in-order.js';
import { Sessions1700000010000 } from './migrations/1700000010000-sessions.js';
import { AccountMail1700000011000 } from './migrations/1700000011000-account-mail.js';
import { Invitations1700000012000 } from './migrations/1700000012000-invitations.js';
import { AuditLog1700000013000 } from './migrations/1700000013000-audit-log.js';
import { ImportGate1700000017000 } from './migrations/1700000017000-import-gate.js';
import { Console1700000018000 } from './migrations/1700000018000-console.js';
import { MailOutbox1700000019000 } from './migrations/1700000019000-mail-outbox.js';
import { EventCounts1700000020000 } from './migrations/1700000020000-event-counts.js';
import { ReferencesByStatement1700000021000 } from './migrations/1700000021000-references-by-statement.js';
import { IssueTrends1700000022000 } from './migrations/1700000022000-issue-trends.js';
import { EventsByFirstAsset1700000023000 } from './migrations/1700000023000-events-by-first-asset.js';
import { EventBatches1700000024000 } from './migrations/1700000024000-event-batches.js';
import { BatchesOfBefore1700000024100 } from './migrations/1700000024100-batches-of-before.js';
import { AppendEvents1700000025000 } from './migrations/1700000025000-append-events.js';
import { PayloadOrganizations1700000025100 } from './migrations/1700000025100-payload-organizations.js';
import { EventsByOrganizationAndLead1700000025200 } from './migrations/1700000025200-events-by-organization-and-lead.js';
import { ScanChanges1700000028000 } from './migrations/1700000028000-scan-changes.js';
import { SortedLists1700000028100 } from './migrations/1700000028100-sorted-lists.js';
import { CopiedEvents1700000029000 } from './migrations/1700000029000-copied-events.js';
import { MailsIntoTheQueue1700030001000 } from './migrations/1700030001000-mails-into-the-queue.js';
import { UnpaidOrders1700030002000 } from './migrations/1700030002000-unpaid-orders.js';
import { RecentLogins1700030003000 } from './migrations/1700030003000-recent-logins.js';
import { FormerAddresses1700030003100 } from './migrations/1700030003100-former-addresses.js';
import { FormerAddressIndexes1700030003200 } from './migrations/1700030003200-former-address-indexes.js';
import { AuditDevices1700030004000 } from './migrations/1700030004000-audit-devices.js';
import { Suspensions1700030004100 } from './migrations/1700030004100-suspensions.js';
import { NameWords1700030005000 } from './migrations/1700030005000-name-words.js';
import { PeopleByName1700030005100 } from './migrations/1700030005100-people-by-name.js';
import { ReportDetails1700030006000 } from './migrations/1700030006000-report-details.js';
import { ImporterKeys1700030006100 } from './migrations/1700030006100-importer-keys.js';
import { UnusedPictures1700030009000 } from './migrations/1700030009000-unused-pictures.js';
import { ShippingMethods1700030010000 } from './migrations/1700030010000-shipping-methods.js';

const migrations = [
  Store1700000000000,
  Scanning1700000001000,
  WebhookExport1700000002000,
  Triage1700000004000,
  Quotas1700000007000,
  DeliveryList1700000008000,
  OrderMemory1700000009000,
  ProductSearch1700000009100,
  NamesInOrder1700000009200,
  Sessions1700000010000,
  AccountMail1700000011000,
  Invitations1700000012000,
  AuditLog1700000013000,
  ImportGate1700000017000,
  Console1700000018000,
  MailOutbox1700000019000,
  EventCounts1700000020000,
  ReferencesByStatement1700000021000,
  IssueTrends1700000022000,
  EventsByFirstAsset1700000023000,
  EventBatches1700000024000,
  BatchesOfBefore1700000024100,
  AppendEvents1700000025000,
  PayloadOrganizations1700000025100,
  EventsByOrganizationAndLead1700000025200,
  ScanChanges1700000028000,
  SortedLists1700000028100,
  CopiedEvents1700000029000,
  MailsIntoTheQueue1700030001000,
  UnpaidOrders1700030002000,
  RecentLogins1700030003000,
  FormerAddresses1700030003100,
  FormerAddressIndexes1700030003200,
  AuditDevices1700030004000,
  Suspensions1700030004100,
  NameWords1700030005000,
  PeopleByName1700030005100,
  ReportDetails1700030006000,
  ImporterKeys1700030006100,
  UnusedPictures1700030009000,
  ShippingMethods1700030010000,
];

/** The names of all migrations, as a migrated database stores them. */
export function migrationNames(): string[] {
  return migrations.map(({ name }) => name);
}

export interface ConnectionChoices {
  url: string;
  poolSize: number;
  /** The time limit of one statement; 0 for none. */
  statementTimeoutMs: number;
  /** The time limit for a connection to come about; defaults to that of migrations. */
  connectTimeoutMs?: number;
  /** As the server shows it; defaults to that of migrations. */
  applicationName?: string;
}

/** TypeORM's connection: PostgreSQL 15 to 18, in UTC, with all migrations. */
export function dataSourceOptions(choices: ConnectionChoices): DataSourceOptions {
  return {
    type: 'postgres',
    driver: pg, // TypeORM would look for it, and load a second one beside that of the bundle
    url: choices.url,
    poolSize: choices.poolSize,
    connectTimeoutMS: choices.connectTimeoutMs ?? 5_000,
    applicationName: choices.applicationName ?? 'store-service migrations',
    installExtensions: false,
    migrations,
    migrationsTransactionMode: 'each',
    logging: false,
    poolErrorHandler: () => undefined, // the pool replaces a lost idle connection
    extra: connectionExtras(choices.statementTimeoutMs),
  };
}
