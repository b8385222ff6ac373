/** Makes one attempt of a delivery of the shop. */
export const webhookTask = 'store-webhook-delivery';

/** SQL that is true if the delivery `d` carries an event of the shop to a webhook, rather than a payload of a workflow. */
export const isOfWebhook = 'd.webhook_id IS NOT NULL';

/** Whether the webhook of a delivery, a row of this name, may get something. */
export function mayGet(delivery: string): string {
  return `EXISTS (SELECT FROM store_webhooks w WHERE w.id = ${delivery}.webhook_id AND w.enabled)`;
}
