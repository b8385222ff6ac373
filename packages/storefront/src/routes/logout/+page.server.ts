import { StoreApiError } from '@store-service/sdk';
import { isHttpError, redirect } from '@sveltejs/kit';
import { keepCount } from '$lib/server/guest-cart.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => {
  if (!locals.session.isOpen) redirect(303, '/login');
};

export const actions: Actions = {
  default: async ({ locals, cookies }) => {
    const { refreshToken } = locals.session;
    try {
      await locals.api.auth.logout({ body: refreshToken ? { refresh_token: refreshToken } : {} });
    } catch (error) {
      // Here it ends in any case; on the service it then ends by itself.
      if (!(error instanceof StoreApiError) && !isHttpError(error)) throw error;
    }
    locals.signOut();
    keepCount(cookies, 0);
    redirect(303, '/login?reason=signed-out');
  },
};
