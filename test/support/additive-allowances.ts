/**
 * Migrations' statements that affect existing objects, by how each statement begins, with the reason why nodes of the
 * previous release can bear it.
 */
export const allowances: Record<string, [statement: string, reason: string][]> = {
  Baseline1700000000000: [['DO ', 'makes a collation, in a database that is empty']],
  Payments1764200000000: [
    ['ALTER TABLE orders ADD COLUMN paid_total', 'its checks hold for every row of before: nothing was paid'],
    ['ALTER TABLE order_items ADD COLUMN restocked', 'the check holds for every row of before: none came back'],
  ],
  Catalog1764420000000: [
    ['CREATE TRIGGER products_slug', 'products of old nodes get a slug too, and none is refused'],
    ['CREATE TRIGGER products_listed', 'products of old nodes are listed too, and none is refused'],
    ['CREATE TRIGGER products_sold_out', 'the same, where an order takes the last piece'],
    ['CREATE TRIGGER reviews_rate_on', 'reviews of old nodes are counted too, and none is refused'],
  ],
  CatalogRows1764420000001: [
    ['CREATE UNIQUE INDEX CONCURRENTLY products_sku_key', 'only on the column that old nodes do not know'],
    ['DROP INDEX CONCURRENTLY IF EXISTS products_sku_key', 'the same, where an earlier try was broken off'],
    ['DROP FUNCTION', "the migration's own, which nothing else calls"],
  ],
  IssuesOfScan1764590000000: [
    ['DROP INDEX CONCURRENTLY IF EXISTS issue_scans_scan_idx', 'another index serves what old nodes ask'],
  ],
  OrderSearch1764230000000: [
    ['CREATE TRIGGER orders_added', 'orders of old nodes are found too, and none is refused'],
    ['CREATE TRIGGER orders_addressed', 'the same, where they remove an address'],
    ['CREATE TRIGGER users_renamed', 'the same, where they change a name'],
  ],
  StoreEvents1764240000000: [
    [
      'ALTER TABLE webhook_deliveries ALTER COLUMN organization_id DROP NOT NULL',
      'old nodes write it always, and read only what they find by it',
    ],
    [
      'ALTER TABLE webhook_deliveries ALTER COLUMN run_id DROP NOT NULL',
      'old nodes write it always, and read only what they find by it',
    ],
    [
      'ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_user_check',
      'holds for all that old nodes write; the table is read while others write',
    ],
    ['ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT', 'reads the table while others write'],
  ],
  IssueIdentifiers1764320000000: [
    ['CREATE TRIGGER issue_details_identify_on_insert', 'issues of old nodes are found too, and none is refused'],
    ['CREATE TRIGGER issue_details_identify_on_update', 'the same, where a later report changes them'],
    ['CREATE TRIGGER issues_deleted_identifiers', 'the same, where they remove issues'],
  ],
  Branches1764310000000: [['CREATE TRIGGER issues_deleted_branches', 'deletes only rows of the new table']],
  ThreatFeeds1764350000000: [
    ['CREATE TRIGGER issue_identifiers_rate_on_insert', 'issues of old nodes are rated too, and none is refused'],
    ['CREATE TRIGGER issue_identifiers_rate_on_delete', 'the same, where later reports take identifiers away'],
  ],
  StoreDeliveries1764240000001: [
    [
      'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_event_key',
      'only on the column that old nodes do not know',
    ],
  ],
  IssuePeople1764330000000: [
    [
      'ALTER TABLE issue_activities DROP CONSTRAINT issue_activities_kind_check',
      'the one that takes its place takes all that old nodes write',
    ],
    ['ALTER TABLE issue_activities ADD CONSTRAINT issue_activities_kind_check', 'takes all that old nodes write'],
  ],
  IssuePeopleIndexes1764330000001: [
    ['ALTER TABLE issue_activities VALIDATE CONSTRAINT', 'reads the table while others write'],
  ],
};
