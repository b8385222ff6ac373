import { createHash } from 'node:crypto';
import { isHttpError, type RequestEvent } from '@sveltejs/kit';
import { mergeGuestCart } from './cart.ts';
import { readGuestCart } from './guest-cart.ts';
import { type Refusal, refusalOf } from './refusals.ts';

/** What became of what was put into the cart before a login. */
interface Done {
  step: 'done';
  /** Whether not all of it fitted. */
  cut: boolean;
}

/** How a login went on: done, or a code is asked for, or it was refused. */
export type SignInStep = Done | { step: 'code' } | { step: 'refused'; refusal: Refusal };

/** The key of a merge: the same cart that is merged twice, by a second tab or a lost answer, counts once. */
function mergeKey(event: RequestEvent, username: string): string {
  const lines = readGuestCart(event.cookies).map(({ product_id, quantity }) => `${product_id}.${quantity}`);
  return createHash('sha256')
    .update(`${username} ${event.locals.session.refreshToken} ${lines.join('_')}`)
    .digest('base64url');
}

/** Takes what was put into the cart before along into the account; `name` is of the login. */
export async function takeCart(event: RequestEvent, name: string): Promise<Done> {
  try {
    return { step: 'done', cut: await mergeGuestCart(event, mergeKey(event, name)) };
  } catch (problem) {
    // The cart stays in the browser, and is merged by the next login.
    if (isHttpError(problem)) return { step: 'done', cut: false };
    throw problem;
  }
}

/** Signs in with a password, and takes along what was put into the cart before. */
export async function signIn(event: RequestEvent, username: string, password: string): Promise<SignInStep> {
  const { locals } = event;
  try {
    const { data } = await locals.api.auth.login({ body: { username, password } });
    if (data.requires_totp) {
      locals.session.pendingToken = data.temp_token ?? undefined;
      return { step: 'code' };
    }
    locals.signIn(data);
  } catch (error) {
    return { step: 'refused', refusal: refusalOf(error, event) };
  }
  return takeCart(event, username);
}

/** Goes on with a code of the authenticator app, or a recovery code. */
export async function signInWithCode(event: RequestEvent, code: string): Promise<SignInStep> {
  const { locals } = event;
  const temp_token = locals.session.pendingToken ?? '';
  try {
    const { data } = await locals.api.auth.loginWithCode({ body: { temp_token, totp_code: code } });
    locals.signIn(data);
  } catch (error) {
    const refusal = refusalOf(error, event);
    // With this code or another, this login leads nowhere any more.
    if (['login_ended', 'token_invalid', 'token_expired'].includes(refusal.code ?? ''))
      locals.session.pendingToken = undefined;
    return { step: 'refused', refusal };
  }
  return takeCart(event, temp_token);
}
