import { randomUUID } from 'node:crypto';
import { type PaymentRequest, StoreApiError } from '@store-service/sdk';
import { redirect } from '@sveltejs/kit';
import { ownOrder } from '$lib/server/own-order.ts';
import { ofCustomer, refusalOf } from '$lib/server/refusals.ts';
import type { PageServerLoad, RequestEvent } from './$types';

/** Asks for the page on which to pay: the same one as long as it is open, however often this is asked. */
async function open({ locals, url }: RequestEvent, order_id: number): Promise<PaymentRequest> {
  const ask = async (body: { return_url?: string }) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return (await locals.api.payments.open({ path: { order_id }, body, headers })).data;
  };
  try {
    return await ask({ return_url: `${url.origin}/orders/${order_id}` });
  } catch (refusal) {
    // The service does not know this address as one of the shop's: its own page says then how the payment went.
    if (refusal instanceof StoreApiError && refusal.fields.length > 0) return ask({});
    throw refusal;
  }
}

export const load: PageServerLoad = async (event) => {
  const order = await ofCustomer(event, () => ownOrder(event));
  const shown = `/orders/${order.id}`;
  if (order.status !== 'pending') redirect(303, shown);
  let payment: PaymentRequest;
  try {
    payment = await open(event, order.id);
  } catch (refused) {
    return { id: order.id, address: null, problem: refusalOf(refused, event).problem };
  }
  if (payment.url === undefined) redirect(303, shown);
  const address = new URL(payment.url);
  // The demo's page is the shop's own, and speaks its visitor's language.
  if (payment.provider === 'demo') address.searchParams.set('lang', event.locals.language);
  if (address.origin === event.url.origin) redirect(303, address.pathname + address.search);
  // The policy lets no form lead to another origin, not even by way of a redirect: the page itself goes on.
  return { id: order.id, address: address.href, problem: null };
};
