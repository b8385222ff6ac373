import { ofCustomer } from '$lib/server/refusals.ts';
import type { RequestHandler } from './$types';

/** Everything that the shop holds about a customer, as a file. */
export const GET: RequestHandler = (event) =>
  ofCustomer(event, async () => {
    const { data } = await event.locals.api.users.export();
    return new Response(JSON.stringify(data, null, 2), {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="my-data.json"',
        'cache-control': 'private, no-store',
      },
    });
  });
