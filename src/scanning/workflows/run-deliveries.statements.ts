/** SQL of the deliveries of a run, as JSON; those of an action that is gone are never sent. */
export const runDeliveries = (run: string): string => `
  (SELECT coalesce(json_agg(json_build_object('id', d.id, 'status',
            CASE WHEN d.action_id IS NULL AND d.status IN ('PENDING', 'RETRYING') THEN 'CANCELED' ELSE d.status END)
            ORDER BY d.created_at, d.id), '[]')
     FROM webhook_deliveries d WHERE d.run_id = ${run})`;
