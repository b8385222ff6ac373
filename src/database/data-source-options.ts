import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { connectionExtras } from './connections/connection-extras.js';
import { Baseline1700000000000 } from './migrations/1700000000000-baseline.js';
import { Payments1764200000000 } from './migrations/1764200000000-payments.js';
import { OrderSearch1764230000000 } from './migrations/1764230000000-order-search.js';
import { OrderQueues1764230000001 } from './migrations/1764230000001-order-queues.js';
import { StoreEvents1764240000000 } from './migrations/1764240000000-store-events.js';
import { StoreDeliveries1764240000001 } from './migrations/1764240000001-store-deliveries.js';
import { ShopKeys1764250000000 } from './migrations/1764250000000-shop-keys.js';
import { Branches1764310000000 } from './migrations/1764310000000-branches.js';
import { BranchIndexes1764310000001 } from './migrations/1764310000001-branch-indexes.js';
import { IssueIdentifiers1764320000000 } from './migrations/1764320000000-issue-identifiers.js';
import { IssuesOfRule1764320000001 } from './migrations/1764320000001-issues-of-rule.js';
import { IssuePeople1764330000000 } from './migrations/1764330000000-issue-people.js';
import { IssuePeopleIndexes1764330000001 } from './migrations/1764330000001-issue-people-indexes.js';
import { IssueViews1764330000002 } from './migrations/1764330000002-issue-views.js';
import { Notifications1764340000000 } from './migrations/1764340000000-notifications.js';
import { WorkflowTroubles1764340000001 } from './migrations/1764340000001-workflow-troubles.js';
import { WorkflowDigests1764340000002 } from './migrations/1764340000002-workflow-digests.js';
import { PayloadParts1764340000003 } from './migrations/1764340000003-payload-parts.js';
import { ThreatFeeds1764350000000 } from './migrations/1764350000000-threat-feeds.js';
import { IssuesByThreat1764350000001 } from './migrations/1764350000001-issues-by-threat.js';
import { Catalog1764420000000 } from './migrations/1764420000000-catalog.js';
import { CatalogRows1764420000001 } from './migrations/1764420000001-catalog-rows.js';
import { Backups1764430000000 } from './migrations/1764430000000-backups.js';
import { NotedRequests1764510000000 } from './migrations/1764510000000-noted-requests.js';
import { Nodes1764510000001 } from './migrations/1764510000001-nodes.js';
import { Oidc1764520000000 } from './migrations/1764520000000-oidc.js';
import { ShopViews1764530000000 } from './migrations/1764530000000-shop-views.js';
import { ProviderFactors1764570000000 } from './migrations/1764570000000-provider-factors.js';
import { IssuesOfScan1764590000000 } from './migrations/1764590000000-issues-of-scan.js';
import { ReviewAnswers1764630000000 } from './migrations/1764630000000-review-answers.js';

const migrations = [
  Baseline1700000000000,
  Payments1764200000000,
  OrderSearch1764230000000,
  OrderQueues1764230000001,
  StoreEvents1764240000000,
  StoreDeliveries1764240000001,
  ShopKeys1764250000000,
  Branches1764310000000,
  BranchIndexes1764310000001,
  IssueIdentifiers1764320000000,
  IssuesOfRule1764320000001,
  IssuePeople1764330000000,
  IssuePeopleIndexes1764330000001,
  IssueViews1764330000002,
  Notifications1764340000000,
  WorkflowTroubles1764340000001,
  WorkflowDigests1764340000002,
  PayloadParts1764340000003,
  ThreatFeeds1764350000000,
  IssuesByThreat1764350000001,
  Catalog1764420000000,
  CatalogRows1764420000001,
  Backups1764430000000,
  NotedRequests1764510000000,
  Nodes1764510000001,
  Oidc1764520000000,
  ShopViews1764530000000,
  ProviderFactors1764570000000,
  IssuesOfScan1764590000000,
  ReviewAnswers1764630000000,
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
  /** The time limit for opening a connection; defaults to that of migrations. */
  connectTimeoutMs?: number;
  /** As the server shows it; defaults to that of migrations. */
  applicationName?: string;
}

/** TypeORM's connection: PostgreSQL 15 to 18, in UTC, with all migrations. */
export function dataSourceOptions(choices: ConnectionChoices): DataSourceOptions {
  return {
    type: 'postgres',
    driver: pg, // TypeORM would otherwise look for the driver and load a second one
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
