import { fail, redirect } from '@sveltejs/kit';
import { ofCustomer, refusalOf, textsIn } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = (event) =>
  ofCustomer(event, async () => {
    const { api } = event.locals;
    const [{ data: sessions }, { data: totp }] = await Promise.all([api.sessions.list(), api.totp.status()]);
    const shown = sessions.map(({ id, device, last_used_at, current }) => ({ id, device, last_used_at, current }));
    const done =
      (['changed', 'off', 'ended'] as const).find((one) => event.url.searchParams.get('done') === one) ?? null;
    return { sessions: shown, hasCodes: totp.enabled, done };
  });

/** Does it; leads to the password first where the login is too old for it. */
async function attempt<Data>(event: RequestEvent, work: () => Promise<Data>) {
  try {
    return { data: await ofCustomer(event, work), refused: null };
  } catch (error) {
    const { status, problem, faults, code } = refusalOf(error, event);
    if (code === 'reauthentication_required') redirect(303, '/account/prove?next=/account/security');
    return { data: null, refused: fail(status, { problem, faults }) };
  }
}

const codeIn = async ({ request }: RequestEvent) => ({ token: textsIn(await request.formData(), ['token']).token });

export const actions: Actions = {
  password: async (event) => {
    const body = textsIn(await event.request.formData(), ['current_password', 'new_password']);
    const { data, refused } = await attempt(event, () => event.locals.api.auth.changePassword({ body }));
    if (refused) return refused;
    event.locals.signIn(data.data);
    return redirect(303, '/account/security?done=changed');
  },

  setUp: async (event) => {
    const { data, refused } = await attempt(event, () => event.locals.api.totp.setup());
    return refused ?? { setup: { qr: data.data.qr_code, key: data.data.manual_entry_key } };
  },

  enable: async (event) => {
    const form = await event.request.formData();
    const { token, qr, key } = textsIn(form, ['token', 'qr', 'key'], 50_000);
    try {
      const { data } = await ofCustomer(event, () => event.locals.api.totp.enable({ body: { token } }));
      return { codes: data.recovery_codes };
    } catch (error) {
      const { status, problem, code } = refusalOf(error, event);
      if (code === 'reauthentication_required') redirect(303, '/account/prove?next=/account/security');
      return fail(status, {
        problem,
        faults: {},
        setup: { qr: qr.startsWith('data:image/png;base64,') ? qr : '', key },
      });
    }
  },

  disable: async (event) => {
    const body = await codeIn(event);
    const { refused } = await attempt(event, () => event.locals.api.totp.disable({ body }));
    if (refused) return refused;
    return redirect(303, '/account/security?done=off');
  },

  renew: async (event) => {
    const body = await codeIn(event);
    const { data, refused } = await attempt(event, () => event.locals.api.totp.renewRecoveryCodes({ body }));
    return refused ?? { codes: data.data.recovery_codes };
  },

  end: async (event) => {
    const { id } = textsIn(await event.request.formData(), ['id']);
    const { refused } = await attempt(event, () => event.locals.api.sessions.end({ path: { session_id: id } }));
    if (refused) return refused;
    return redirect(303, '/account/security?done=ended');
  },

  endAll: async (event) => {
    const { refused } = await attempt(event, () => event.locals.api.sessions.endAll());
    if (refused) return refused;
    event.locals.signOut();
    return redirect(303, '/login?reason=signed-out');
  },
};
