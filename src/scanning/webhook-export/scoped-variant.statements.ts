import { isoTimestamp } from '../../database/iso-timestamp.js';
import { issuePlace } from '../issues/issue-place.statements.js';
import { assetIds } from '../scans/scans.statements.js';
import { harmless, locationJson } from './location.statements.js';

const wanted = 'FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, ord)';

/** The rows of a root in the scoped variant: only ids and scalars, no credentials. Parameters as in `defaultVariant`. */
export const scopedVariant = {
  issues: `
    SELECT wanted.ord, json_build_object(
             'id', i.id, 'name', i.name, 'fullName', i.full_name, 'severity', i.severity, 'category', i.category,
             'status', i.status, 'createdAt', ${isoTimestamp('i.created_at')}, 'alertUid', i.alert_uid,
             'securityTestUid', i.security_test_uid, 'assetId', i.asset_id, 'scanId', i.scan_id,
             'applicationId', s.application_id, 'place', ${harmless(issuePlace('i.id'))},
             'location', ${locationJson('d', harmless)},
             'asset', json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'class', a.class, 'uri', a.uri)
           )::text AS json
      ${wanted}
      JOIN issues i ON i.id = wanted.id AND i.organization_id = $1
      JOIN assets a ON a.id = i.asset_id
      LEFT JOIN issue_details d ON d.issue_id = i.id
      LEFT JOIN scans s ON s.id = i.scan_id`,

  assets: `
    SELECT wanted.ord, json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'class', a.class, 'uri', a.uri,
             'createdAt', ${isoTimestamp('a.created_at')})::text AS json
      ${wanted} JOIN assets a ON a.id = wanted.id AND a.organization_id = $1`,

  scans: `
    SELECT wanted.ord, json_build_object('id', s.id, 'status', s.status, 'kind', s.kind,
             'createdAt', ${isoTimestamp('s.created_at')}, 'updatedAt', ${isoTimestamp('s.updated_at')},
             'finishedAt', ${isoTimestamp('s.finished_at')}, 'progressRatio', s.progress_ratio,
             'applicationId', s.application_id, 'branch', s.branch, 'failureReason', ${harmless('s.failure_reason')},
             'assetIds', ${assetIds('s')})::text AS json
      ${wanted} JOIN scans s ON s.id = wanted.id AND s.organization_id = $1`,

  profiles: `
    SELECT wanted.ord, json_build_object('id', p.id, 'name', p.name, 'scannerKind', p.scanner_kind, 'type', p.type,
             'createdAt', ${isoTimestamp('p.created_at')}, 'updatedAt', ${isoTimestamp('p.updated_at')})::text AS json
      ${wanted} JOIN profiles p ON p.id = wanted.id AND p.organization_id = $1`,

  locations: `
    SELECT wanted.ord, json_build_object('id', l.id, 'name', l.name, 'type', l.type, 'enabled', l.enabled,
             'region', l.region, 'createdAt', ${isoTimestamp('l.created_at')})::text AS json
      ${wanted} JOIN locations l ON l.id = wanted.id AND l.organization_id = $1`,

  integrations: `
    SELECT wanted.ord, json_build_object('id', n.id, 'name', n.name, 'kind', n.kind, 'valid', n.valid,
             'createdAt', ${isoTimestamp('n.created_at')}, 'updatedAt', ${isoTimestamp('n.updated_at')})::text AS json
      ${wanted} JOIN integrations n ON n.id = wanted.id AND n.organization_id = $1`,
};
