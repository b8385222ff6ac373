import { isoTimestamp } from '../../database/iso-timestamp.js';

/** SQL that builds an Application from a row of `profiles`. */
export function applicationJson(row: string): string {
  return `json_build_object(
    'id', ${row}.id, 'name', ${row}.name, 'scannerKind', ${row}.scanner_kind, 'type', ${row}.type,
    'createdAt', ${isoTimestamp(`${row}.created_at`)}, 'updatedAt', ${isoTimestamp(`${row}.updated_at`)})`;
}

/** SQL of the columns of a ResourceScan, of a row `s` of `scans` and its profile `p`. */
export const scanColumns = `s.id, s.status, s.kind, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  s.finished_at AS "finishedAt", s.progress_ratio AS "progressRatio", s.application_id AS "applicationId",
  ${applicationJson('p')} AS application`;

/** SQL that builds a ResourceScan from a row of `scans` and that of its profile. */
export function scanJson(row: string, profile: string): string {
  return `json_build_object(
    'id', ${row}.id, 'status', ${row}.status, 'kind', ${row}.kind,
    'createdAt', ${isoTimestamp(`${row}.created_at`)}, 'updatedAt', ${isoTimestamp(`${row}.updated_at`)},
    'finishedAt', ${isoTimestamp(`${row}.finished_at`)}, 'progressRatio', ${row}.progress_ratio,
    'applicationId', ${row}.application_id, 'application', ${applicationJson(profile)})`;
}
