import { statement } from '../../database/database.js';
import { followedFilters, followedMatches } from './event-filters.statements.js';
import { listedColumns } from './scan-events.statements.js';

/** How many events of one organization one beat reads at most. */
export const eventsOfBeat = 200;
/** How many bytes of events one beat reads at most, beside the first event of each organization. */
const bytesOfBeat = 8 * 2 ** 20;

/**
 * What arrived in each organization ($1) after its position, with the numbers of the filters ($2) that each event matches;
 * always at least one row, with the snapshot of the statement. The filters are asked here rather than in memory, so that
 * a stream and a list can never differ in what matches; and together, so that any number of followers costs one statement.
 */
export const arrivalsOfMany = statement(
  'scan-events.arrivals-of-many',
  `WITH positions AS MATERIALIZED (
      SELECT id, seen::pg_snapshot, until::pg_snapshot, arrived::xid8, "lastId"
        FROM json_to_recordset($1::json) AS p(id uuid, seen text, until text, arrived text, "lastId" uuid)
    ), filters AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2::json) AS f(number integer, "organizationId" uuid, ${followedFilters})
    ), found AS (
      SELECT p.id AS "organizationId", e.* FROM positions p CROSS JOIN LATERAL (
        SELECT ${listedColumns}, matching.numbers AS matches,
               octet_length(e.attachments::text) + octet_length(e.title) AS size
          FROM scan_events e CROSS JOIN LATERAL (
            SELECT array_agg(f.number) AS numbers FROM filters f WHERE f."organizationId" = p.id AND ${followedMatches}
          ) AS matching
         WHERE e.organization_id = p.id AND (e.arrived, e.id) > (p.arrived, p."lastId")
           AND NOT pg_visible_in_snapshot(e.arrived, p.seen)
           AND (p.until IS NULL OR pg_visible_in_snapshot(e.arrived, p.until))
           AND matching.numbers IS NOT NULL
         ORDER BY e.arrived, e.id LIMIT ${eventsOfBeat + 1}) AS e
    ), numbered AS (
      SELECT found.*, count(*) OVER (PARTITION BY "organizationId") AS total,
             row_number() OVER (PARTITION BY "organizationId" ORDER BY arrived, id) AS nth
        FROM found
    ), measured AS (
      SELECT numbered.*, sum(size) OVER (ORDER BY nth, "organizationId" ROWS UNBOUNDED PRECEDING) - size AS before
        FROM numbered
    )
    SELECT s.now, e.* FROM (SELECT pg_current_snapshot()::text AS now) AS s
      LEFT JOIN (SELECT * FROM measured
                  WHERE nth = 1 OR (nth <= ${eventsOfBeat} AND before < ${bytesOfBeat})) AS e ON true
     ORDER BY "organizationId", nth`,
);
