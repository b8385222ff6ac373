import { Injectable } from '@nestjs/common';
import { type Statement, statement } from '../../database/database.js';
import { Searches } from '../../database/searches.js';
import type { IdCandidate, IdKind } from './id-lookups.dto.js';

/** The range of ids of a lookup, from `from` to `to`: the ids of a span of time. */
export interface IdRange {
  from: string;
  to: string;
  fromTime: Date;
  toTime: Date;
}

/** A prefix of 8 characters covers a minute of ids: few in an organization, and few rows of a primary key to skip. */
function within(table: string, name: string): Statement {
  return statement(
    `id-lookups.${table}`,
    `SELECT id, ${name} AS name, created_at AS "createdAt" FROM ${table}
      WHERE organization_id = $1 AND id BETWEEN $2 AND $3 ORDER BY id LIMIT $4`,
  );
}

/** An event has the time of its id: only its month is read, and only the organization's own events. */
const ofEvents = statement(
  'id-lookups.scan_events',
  `SELECT id, title AS name, created_at AS "createdAt" FROM scan_events
    WHERE organization_id = $1 AND created_at BETWEEN $5 AND $6 AND id BETWEEN $2 AND $3
    ORDER BY created_at, id LIMIT $4`,
);

const statements: Record<Exclude<IdKind, 'EVENT'>, Statement> = {
  API_KEY: within('api_keys', 'name'),
  ASSET: within('assets', 'name'),
  DELIVERY: within('webhook_deliveries', 'status'),
  INTEGRATION: within('integrations', 'name'),
  ISSUE: within('issues', 'name'),
  LOCATION: within('locations', 'name'),
  PROFILE: within('profiles', 'name'),
  SCAN: within('scans', 'kind'),
  TAG: within('tags', 'name'),
  WORKFLOW: within('workflows', 'name'),
};

@Injectable()
export class IdLookupsRepository {
  constructor(private readonly searches: Searches) {}

  /** The resources of a kind whose ids lie in the range, by id. */
  candidates(
    organizationId: string,
    kind: IdKind,
    { from, to, fromTime, toTime }: IdRange,
    limit: number,
  ): Promise<IdCandidate[]> {
    const values = [organizationId, from, to, limit];
    if (kind !== 'EVENT') return this.searches.rows<IdCandidate & object>(organizationId, statements[kind], values);
    return this.searches.rows<IdCandidate & object>(organizationId, ofEvents, [...values, fromTime, toTime]);
  }
}
