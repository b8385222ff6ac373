import { statement } from '../../database/database.js';
import { batchesFrom, isOfBatch, numberedState, orderInBatch } from './event-arrivals.statements.js';
import { followedFilters, followedMatches } from './event-filters.statements.js';
import { listedColumns } from './scan-events.statements.js';

/** The most events of one organization that one beat reads. */
export const eventsOfBeat = 200;
/** The most bytes of events that one beat reads, beside the first event of each organization. */
const bytesOfBeat = 8 * 2 ** 20;

interface Asked {
  /** SQL of rows `p`, one for each organization: its id, and the position to look from. */
  positions: string;
  /** SQL of these columns of such a row. */
  place: { organizationId: string; number: string; id: string };
}

/**
 * The arrivals in each organization after its position, with the numbers of the filters ($1) that each event matches;
 * at least one row for each organization, with the state of its numbers: null if it never had any. The database applies
 * the filters, so that a stream and a list can never differ in their matches; and it applies them together, so that any
 * number of followers costs one statement.
 */
const arrivalsOf = ({ positions, place }: Asked): string =>
  `WITH positions AS MATERIALIZED (
      ${positions}
    ), filters AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS f("filter" integer, "organizationId" uuid, ${followedFilters})
    ), found AS (
      SELECT p.id AS "organizationId", e.* FROM positions p CROSS JOIN LATERAL (
        SELECT e.*, b.number FROM ${batchesFrom(place)} CROSS JOIN LATERAL (
          SELECT ${listedColumns}, matching.filters AS matches,
                 octet_length(e.attachments::text) + octet_length(e.title) AS size
            FROM scan_events e CROSS JOIN LATERAL (
              SELECT array_agg(f."filter") AS filters FROM filters f
               WHERE f."organizationId" = p.id AND ${followedMatches}) AS matching
           WHERE ${isOfBatch(place)} AND matching.filters IS NOT NULL
           ORDER BY ${orderInBatch} LIMIT ${eventsOfBeat + 1}) AS e
         ORDER BY b.number, e.id LIMIT ${eventsOfBeat + 1}) AS e
    ), counted AS (
      SELECT found.*, count(*) OVER (PARTITION BY "organizationId") AS total,
             row_number() OVER (PARTITION BY "organizationId" ORDER BY number, id) AS nth
        FROM found
    ), measured AS (
      SELECT counted.*, sum(size) OVER (ORDER BY nth, "organizationId" ROWS UNBOUNDED PRECEDING) - size AS before
        FROM counted
    )
    SELECT s.*, e.* FROM (
        SELECT p.id AS "of", ${numberedState(place.organizationId, place.number)}
          FROM positions p LEFT JOIN event_positions n ON n.organization_id = ${place.organizationId}) AS s
      LEFT JOIN (SELECT * FROM measured
                  WHERE nth = 1 OR (nth <= ${eventsOfBeat} AND before < ${bytesOfBeat})) AS e ON e."organizationId" = s."of"
     ORDER BY s."of", e.nth`;

/** For all organizations of $2. */
export const arrivalsOfMany = statement(
  'scan-events.arrivals-of-many',
  arrivalsOf({
    positions: 'SELECT * FROM json_to_recordset($2::json) AS p(id uuid, number bigint, "lastId" uuid)',
    place: { organizationId: 'p.id', number: 'p.number', id: 'p."lastId"' },
  }),
);

/** For the organization $2 after the number $3 and the id $4. */
export const arrivalsOfOne = statement(
  'scan-events.arrivals-of-one',
  arrivalsOf({
    positions: 'SELECT $2::uuid AS id, $3::bigint AS number, $4::uuid AS "lastId"',
    place: { organizationId: '$2', number: '$3::bigint', id: '$4::uuid' },
  }),
);
