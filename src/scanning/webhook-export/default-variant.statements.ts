import { isoTimestamp } from '../../database/iso-timestamp.js';
import { issuePlace } from '../issues/issue-place.statements.js';
import { locationJson } from './location.statements.js';
import { isOfAssets } from '../scan-events/event-filters.statements.js';
import { applicationJson, scanJson } from '../scans/scans.statements.js';
import { tagsJson } from '../tags/tags.statements.js';

/** The newest events of an issue or asset, and scans of an asset, up to so many. */
const newestEvents = 100;
// Unspecified: how large the events of one issue or asset may be together. A payload takes 50 MiB in all.
const newestEventsBytes = 2 ** 20;
const newestScans = 20;

// Unspecified: how many targets of an issue a payload has. A thousand, so that one issue cannot fill a payload;
// GET /issues/{id}/targets lists all.
const firstTargets = 1_000;

const event = (row: string): string => `json_build_object(
  'id', ${row}.id, 'title', ${row}.title, 'description', ${row}.description, 'level', ${row}.level,
  'stage', ${row}.stage, 'createdAt', ${isoTimestamp(`${row}.created_at`)}, 'attachments', ${row}.attachments)`;

const target = (row: string): string => `json_build_object(
  'id', ${row}.id, 'targetUid', ${row}.target_uid, 'scanId', ${row}.scan_id,
  'apiRoute', ${row}.detail->'apiRoute', 'codeFile', (${row}.detail->'codeFile') - 'line',
  'graphqlResolver', ${row}.detail->'graphqlResolver', 'webPage', ${row}.detail->'webPage',
  'webCrawledUrl', ${row}.detail->'webCrawledUrl')`;

const assetFields = (row: string): string => `
  'id', ${row}.id, 'name', ${row}.name, 'type', ${row}.type, 'class', ${row}.class, 'uri', ${row}.uri,
  'createdAt', ${isoTimestamp(`${row}.created_at`)},
  'service', ${row}.service, 'frontend', ${row}.frontend, 'host', ${row}.host`;

/** The newest events of each wanted row: those of the organization's ($1) whose ids in `column` have it, by `condition`. */
const eventsOfWanted = (column: 'issue_ids' | 'asset_ids', condition: string): string => `
  SELECT owner, json_agg(${event('e')} ORDER BY e.created_at DESC, e.id DESC) AS list
    FROM (SELECT n.*, sum(octet_length(n.description) + octet_length(n.attachments::text))
                        OVER (PARTITION BY n.owner ORDER BY n.place) AS bytes
            FROM (SELECT se.*, o.owner,
                         row_number() OVER (PARTITION BY o.owner ORDER BY se.created_at DESC, se.id DESC) AS place
                    FROM scan_events se CROSS JOIN LATERAL unnest(se.${column}) AS o(owner)
                   WHERE se.organization_id = $1 AND ${condition} AND o.owner = ANY ($2)) AS n
           WHERE n.place <= ${newestEvents}) AS e
   WHERE e.place = 1 OR e.bytes <= ${newestEventsBytes}
   GROUP BY owner`;

/** OFFSET 0, as the planner may otherwise walk the targets of all issues by id until it has found enough of this one's. */
const targetsOf = (issue: string): string => `(
  SELECT coalesce(json_agg(${target('tg')} ORDER BY tg.target_uid), '[]')
    FROM (SELECT * FROM (SELECT * FROM issue_targets WHERE issue_id = ${issue}.id OFFSET 0) AS own
           ORDER BY id LIMIT ${firstTargets}) AS tg)`;

const scansOf = (asset: string): string => `(
  SELECT coalesce(json_agg(${scanJson('s', 'p')} ORDER BY s.created_at DESC, s.id DESC), '[]')
    FROM (SELECT scans.* FROM scan_assets sa JOIN scans ON scans.id = sa.scan_id
           WHERE sa.asset_id = ${asset}.id
           ORDER BY scans.created_at DESC, scans.id DESC LIMIT ${newestScans}) AS s
    JOIN profiles p ON p.id = s.application_id)`;

/**
 * The rows of a root in the default variant, field by field as in the interface description: for the ids $2 of the organization
 * $1, each with its place among them (`ord`) and its JSON text. Optional values that are absent are null.
 */
export const defaultVariant = {
  issues: `
    WITH events AS MATERIALIZED (${eventsOfWanted('issue_ids', 'se.issue_ids && $2::uuid[]')})
    SELECT wanted.ord, json_build_object(
             'id', i.id, 'name', i.name, 'fullName', i.full_name, 'severity', i.severity, 'category', i.category,
             'status', i.status, 'createdAt', ${isoTimestamp('i.created_at')}, 'context', i.context,
             'alertUid', i.alert_uid, 'securityTestUid', i.security_test_uid, 'assetId', i.asset_id,
             'place', ${issuePlace('i.id')}, 'location', ${locationJson('d')},
             'asset', json_build_object(${assetFields('a')}, 'cloudComponent', NULL, 'tags', ${tagsJson('a')}),
             'targets', ${targetsOf('i')}, 'events', coalesce(events.list, '[]'),
             'scan', CASE WHEN s.id IS NOT NULL THEN ${scanJson('s', 'p')} END,
             'application', CASE WHEN p.id IS NOT NULL THEN ${applicationJson('p')} END)::text AS json
      FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, ord)
      JOIN issues i ON i.id = wanted.id AND i.organization_id = $1
      JOIN assets a ON a.id = i.asset_id
      LEFT JOIN issue_details d ON d.issue_id = i.id
      LEFT JOIN scans s ON s.id = i.scan_id
      LEFT JOIN profiles p ON p.id = s.application_id
      LEFT JOIN events ON events.owner = i.id`,

  assets: `
    WITH events AS MATERIALIZED (${eventsOfWanted('asset_ids', isOfAssets('se', '$2'))})
    SELECT wanted.ord, json_build_object(
             ${assetFields('a')}, 'repository', a.repository, 'schema', a.schema, 'scans', ${scansOf('a')},
             'events', coalesce(events.list, '[]'), 'tags', ${tagsJson('a')})::text AS json
      FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, ord)
      JOIN assets a ON a.id = wanted.id AND a.organization_id = $1
      LEFT JOIN events ON events.owner = a.id`,

  scans: `
    SELECT wanted.ord, ${scanJson('s', 'p')}::text AS json
      FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, ord)
      JOIN scans s ON s.id = wanted.id AND s.organization_id = $1
      JOIN profiles p ON p.id = s.application_id`,

  profiles: `
    SELECT wanted.ord, ${applicationJson('p')}::text AS json
      FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, ord)
      JOIN profiles p ON p.id = wanted.id AND p.organization_id = $1`,

  locations: `
    SELECT wanted.ord, json_build_object(
             'id', l.id, 'name', l.name, 'type', l.type, 'target', l.target, 'ip', l.ip, 'region', l.region,
             'enabled', l.enabled, 'createdAt', ${isoTimestamp('l.created_at')})::text AS json
      FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, ord)
      JOIN locations l ON l.id = wanted.id AND l.organization_id = $1`,

  /** With sealed parameters, which the reader unseals. */
  integrations: `
    SELECT wanted.ord, json_build_object(
             'id', n.id, 'name', n.name, 'kind', n.kind, 'valid', n.valid, 'parameters', n.parameters_sealed,
             'createdAt', ${isoTimestamp('n.created_at')}, 'updatedAt', ${isoTimestamp('n.updated_at')})::text AS json
      FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, ord)
      JOIN integrations n ON n.id = wanted.id AND n.organization_id = $1`,
};
