import { fail, redirect } from '@sveltejs/kit';
import { ofCustomer, refusalOf, textsIn } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

const names = ['first_name', 'last_name', 'address', 'city', 'zip_code', 'country', 'phone'] as const;

export const load: PageServerLoad = (event) =>
  ofCustomer(event, async () => {
    const { data: addresses } = await event.locals.api.addresses.list();
    const edited = addresses.find(({ id }) => id === event.url.searchParams.get('edit')) ?? null;
    return { addresses, edited };
  });

/** Does it, and shows the addresses as they are then. */
async function change(event: RequestEvent, typed: Record<string, string>, work: () => Promise<unknown>) {
  try {
    await ofCustomer(event, work);
  } catch (error) {
    const { status, problem, faults } = refusalOf(error, event);
    return fail(status, { problem, faults, typed });
  }
  return redirect(303, '/account/addresses');
}

export const actions: Actions = {
  save: async (event) => {
    const form = await event.request.formData();
    const { id } = textsIn(form, ['id']);
    const typed = textsIn(form, names);
    const { country, phone, ...rest } = typed;
    const body = { ...rest, ...(country && { country }), phone: phone || null };
    const { addresses } = event.locals.api;
    return change(event, typed, () =>
      id === '' ? addresses.create({ body }) : addresses.update({ path: { address_id: id }, body }),
    );
  },

  remove: async (event) => {
    const { id } = textsIn(await event.request.formData(), ['id']);
    return change(event, {}, () => event.locals.api.addresses.remove({ path: { address_id: id } }));
  },

  prefer: async (event) => {
    const { id } = textsIn(await event.request.formData(), ['id']);
    const body = { is_default: true };
    return change(event, {}, () => event.locals.api.addresses.update({ path: { address_id: id }, body }));
  },
};
