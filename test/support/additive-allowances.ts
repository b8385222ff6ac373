const wider = 'widens a check: what old nodes write passes';
const unused = 'no statement of the release before goes by it';
const writersWait = 'released before indexes had to be built while others write';
const rowsLocked = 'released before rows had to be changed a few at a time';
const keeps = 'keeps what is new of what old nodes write, and refuses them nothing';
const asKeys = 'refuses and follows what the foreign key did';

/**
 * Migrations' statements that affect existing objects, by how each statement begins, with the reason why nodes of the
 * previous release can bear it.
 */
export const allowances: Record<string, [statement: string, reason: string][]> = {
  Triage1700000004000: [
    [
      'ALTER TABLE issue_activities ADD COLUMN organization_id uuid, DROP CONSTRAINT issue_activities_kind_check',
      wider,
    ],
    ['UPDATE issues i SET', rowsLocked],
    ['UPDATE issue_activities a SET', rowsLocked],
    ['CREATE INDEX issues_counts_idx', writersWait],
    ['CREATE INDEX issue_activities_resolved_idx', writersWait],
  ],
  Quotas1700000007000: [['CREATE INDEX organizations_maker_idx', writersWait]],
  DeliveryList1700000008000: [
    ['ALTER TABLE workflow_runs DROP CONSTRAINT workflow_runs_status_check, ADD', wider],
    ['CREATE INDEX webhook_deliveries_status_idx', writersWait],
    ['CREATE INDEX webhook_deliveries_workflow_status_idx', writersWait],
    ['DROP INDEX webhook_deliveries_organization_idx', unused],
    ['UPDATE webhook_deliveries SET', rowsLocked],
  ],
  OrderMemory1700000009000: [
    ['ALTER TABLE orders ADD COLUMN coupon_code text, ADD COLUMN reached', wider],
    ['UPDATE order_items SET', rowsLocked],
    ['UPDATE orders SET', rowsLocked],
  ],
  ProductSearch1700000009100: [
    ['CREATE TRIGGER products_added', keeps],
    ['CREATE TRIGGER products_changed', keeps],
    ['DROP INDEX products_text_idx, products_name_idx', 'their search reads all products until they are gone'],
  ],
  NamesInOrder1700000009200: [
    ['DO ', 'makes a collation of its own'],
    ['CREATE INDEX products_color_name_idx', writersWait],
    ['DROP INDEX products_color_idx', 'the index that takes its place begins with the same'],
  ],
  Console1700000018000: [
    ['CREATE INDEX reviews_all_newest_idx', writersWait],
    ['CREATE INDEX users_search_idx', writersWait],
  ],
  EventCounts1700000020000: [['CREATE TRIGGER scan_events_added', keeps]],
  ReferencesByStatement1700000021000: [
    ['ALTER TABLE issue_scans DROP CONSTRAINT', asKeys],
    ['ALTER TABLE issue_targets DROP CONSTRAINT', asKeys],
    ['ALTER TABLE issue_activities DROP CONSTRAINT', asKeys],
    ['ALTER TABLE issues DROP CONSTRAINT', asKeys],
    ['CREATE TRIGGER issue_scans_refer_to_', asKeys],
    ['CREATE TRIGGER issue_targets_refer_to_', asKeys],
    ['CREATE TRIGGER issue_activities_refer_to_', asKeys],
    ['CREATE TRIGGER issues_refer_to_', asKeys],
    ['CREATE TRIGGER issues_deleted', asKeys],
    ['CREATE TRIGGER scans_deleted', asKeys],
    ['CREATE TRIGGER assets_deleted', asKeys],
    ['CREATE TRIGGER organizations_deleted', asKeys],
  ],
  IssueTrends1700000022000: [
    ['UPDATE issue_activities a SET', rowsLocked],
    ['CREATE INDEX issue_activities_changes_idx', writersWait],
    ['DROP INDEX issue_activities_resolved_idx', 'the index that takes its place has the same and more'],
    ['CREATE INDEX issues_open_of_asset_idx', writersWait],
  ],
  EventsByFirstAsset1700000023000: [
    ['CREATE INDEX scan_events_first_asset_idx', writersWait],
    ['CREATE INDEX scan_events_further_assets_idx', writersWait],
    ['CREATE INDEX scan_events_many_assets_idx', writersWait],
    ['DROP INDEX scan_events_assets_idx', 'their lists by asset read a month until they are gone'],
  ],
  EventBatches1700000024000: [['CREATE OR REPLACE FUNCTION count_added_events()', keeps]],
  BatchesOfBefore1700000024100: [
    ['INSERT INTO event_batches', 'a table of the migration before, which old nodes do not know'],
    ['INSERT INTO event_positions', 'a table of the migration before, which old nodes do not know'],
  ],
  PayloadOrganizations1700000025100: [
    ['CREATE OR REPLACE FUNCTION give_payload_organization()', 'its own, of a try that was interrupted'],
    ['CREATE OR REPLACE TRIGGER workflow_run_payloads_added', keeps],
    ['WITH runs AS', 'fills a column that they do not know, a few rows at a time'],
  ],
  MailsIntoTheQueue1700030001000: [
    ['CREATE TRIGGER mail_outbox_added', keeps],
    ['DO ', 'queues the mails that they left'],
  ],
  ScanChanges1700000028000: [
    ['CREATE OR REPLACE FUNCTION note_changed_scan()', 'its own, of a try that was interrupted'],
    ['CREATE OR REPLACE TRIGGER scans_changed', keeps],
  ],
  RecentLogins1700030003000: [
    ['ALTER TABLE sessions ALTER COLUMN authenticated_at SET DEFAULT', 'the time of the login, in rows of old nodes'],
  ],
  FormerAddresses1700030003100: [['ALTER TABLE mail_tokens DROP CONSTRAINT mail_tokens_purpose_check, ADD', wider]],
  ReportDetails1700030006000: [['CREATE TRIGGER issues_deleted_details', keeps]],
  ImporterKeys1700030006100: [['ALTER TABLE api_keys DROP CONSTRAINT api_keys_role_check', wider]],
  UnusedPictures1700030009000: [
    ['CREATE OR REPLACE FUNCTION hold_shown_picture()', 'its own, of a try that was interrupted'],
    ['CREATE OR REPLACE TRIGGER users_picture', keeps],
    ['CREATE OR REPLACE TRIGGER products_picture', keeps],
    ['CREATE OR REPLACE TRIGGER reviews_picture', keeps],
    ['CREATE OR REPLACE TRIGGER testimonials_picture', keeps],
  ],
};
