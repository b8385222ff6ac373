import { rowJson } from '../../database/row-json.statements.js';

/**
 * SQL of the events of products whose stock fell to zero, or to the few (`least`) that count as low. A product is in the source
 * `from` under the name `product`, and had more `before`.
 */
export function scarceGoods(from: string, product: string, before: string, least: string): string {
  const shown = rowJson(`${product}.id, ${product}.name, ${product}.stock`);
  return `SELECT CASE WHEN ${product}.stock = 0 THEN 'stock.out' ELSE 'stock.low' END, NULL::uuid,
            jsonb_build_object('product', ${shown}, 'threshold', ${least}), NULL::jsonb
       FROM ${from}
      WHERE ${product}.stock = 0 OR ${product}.stock <= ${least} AND ${before} > ${least}`;
}
