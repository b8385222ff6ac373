import { api, ask } from '../../api/service.js';
import { hrefOf } from '../../router.svelte.js';

const mostOfEach = 100;

/** How many deliveries to the shop's webhooks were given up since a time, and where to see them. */
export async function failingDeliveries(since: string): Promise<{ count: number; most: number; href: string }> {
  const webhooks = await ask(api.webhooks.list());
  const counted = await Promise.all(
    webhooks.map(async ({ id }) => {
      const query = { status: ['EXHAUSTED' as const], since, size: mostOfEach };
      const { data } = await ask(api.webhookDeliveries.list({ path: { id }, query }));
      return { id, count: data.length };
    }),
  );
  const failing = counted.filter(({ count }) => count > 0);
  const [first, ...others] = failing;
  return {
    count: failing.reduce((sum, { count }) => sum + count, 0),
    most: failing.some(({ count }) => count >= mostOfEach) ? mostOfEach : Infinity,
    href:
      first && others.length === 0
        ? hrefOf(`shop/settings/webhooks/${first.id}`, { statuses: 'EXHAUSTED' })
        : hrefOf('shop/settings/webhooks'),
  };
}
