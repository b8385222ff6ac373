import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';
import { defaultVariant } from './default-variant.statements.js';
import { scopedVariant } from './scoped-variant.statements.js';

const shapes = { default: defaultVariant, scoped: scopedVariant };

/** The rows that fit into $3 bytes together, and at least the first: null if it alone has more than $4. */
const bounded = (rows: string): string => `
  SELECT ord::integer, CASE WHEN bytes <= $4 THEN json END AS json
    FROM (SELECT ord, json, octet_length(json) AS bytes,
                 sum(octet_length(json)) OVER (ORDER BY ord) AS so_far, min(ord) OVER () AS first
            FROM (${rows}) AS built) AS counted
   WHERE so_far <= $3 OR ord = first
   ORDER BY ord`;

/** A resource of a payload: its place among the requested ones, from 1, and its JSON text. */
export interface PayloadRow {
  ord: number;
  /** Null if it is larger than any payload may be. */
  json: string | null;
}

export interface RowBounds {
  /** The bytes of rows in a page. */
  pageBytes: number;
  /** The largest row. */
  rowBytes: number;
}

/** Builds the JSON of resources in the database: one statement a page, with all that nests in them. */
@Injectable()
export class PayloadRowsRepository {
  constructor(private readonly database: Database) {}

  /** The rows of these ids in their order, from the first on, as many as fit. */
  page(
    organizationId: string,
    [shape, root]: [PayloadVariant, PayloadRoot],
    ids: string[],
    { pageBytes, rowBytes }: RowBounds,
  ): Promise<PayloadRow[]> {
    return this.database.rows<PayloadRow>(bounded(shapes[shape][root]), [organizationId, ids, pageBytes, rowBytes]);
  }
}
