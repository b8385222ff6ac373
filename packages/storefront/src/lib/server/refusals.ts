import { StoreApiError } from '@store-service/sdk';
import { isHttpError, redirect, type RequestEvent } from '@sveltejs/kit';
import { textsOf } from '$lib/texts/index.ts';

/** What a form is told when the service does not do as it asks. */
export interface Refusal {
  status: number;
  problem: string;
  /** What is wrong with single fields, by their names in the form. */
  faults: Record<string, string>;
  code: string | null;
}

/** The last part of a place in a request is the name of the form's field. */
const nameOf = (place: string): string => place.split('.').at(-1) ?? place;

/**
 * The refusal as sentences in the visitor's language. English ones come from the service; of the others the catalog has those that
 * people meet. Whatever is no refusal is thrown on.
 */
export function refusalOf(error: unknown, { locals }: Pick<RequestEvent, 'locals'>): Refusal {
  const texts = textsOf(locals.language);
  if (isHttpError(error)) return { status: error.status, problem: error.body.message, faults: {}, code: null };
  if (!(error instanceof StoreApiError)) throw error;
  const { status, code = null, detail, fields } = error;
  const isEnglish = locals.language === 'en';
  const catalog: Record<string, string> = texts.refusals;
  const known = catalog[code ?? ''];
  if (fields.length > 0) {
    const faults = fields.map(
      ({ field, message, type }) =>
        [nameOf(field), catalog[type] ?? (isEnglish ? message : texts.refusals.field)] as const,
    );
    return { status, problem: texts.refusals.form, faults: Object.fromEntries(faults), code };
  }
  return { status, problem: known ?? detail, faults: {}, code };
}

/** A page of this shop that an address names; else the one that is given. */
export function ownPath(path: unknown, origin: string, otherwise: string): string {
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > 2_000) return otherwise;
  if (!URL.canParse(path, origin)) return otherwise;
  const url = new URL(path, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : otherwise;
}

const loginFor = ({ url }: Pick<RequestEvent, 'url'>): string =>
  `/login?next=${encodeURIComponent(url.pathname + url.search.replace(/^\?\/.*$/, ''))}`;

/** Asks for a login, and leads back here after it, if nobody is signed in. */
export function requireLogin(event: RequestEvent): void {
  if (!event.locals.session.isOpen) redirect(303, loginFor(event));
}

export const isSessionEnded = (error: unknown): boolean =>
  error instanceof StoreApiError &&
  ['unauthenticated', 'token_expired', 'token_invalid', 'token_revoked'].includes(error.code ?? '');

/** What a page of an account has to show; asks for a login where the session has ended, and 404 where there is no such thing. */
export async function ofCustomer<Data>(event: RequestEvent, work: () => Promise<Data>): Promise<Data> {
  requireLogin(event);
  try {
    return await work();
  } catch (error) {
    if (!isSessionEnded(error)) throw error;
    event.locals.signOut();
    return redirect(303, loginFor(event));
  }
}

const asTyped = new Set(['password', 'current_password', 'new_password']);

/** The texts of a form, each at most as long as it may be; passwords with the blanks around them, which are part of them. */
export function textsIn<Name extends string>(
  form: FormData,
  names: readonly Name[],
  longest = 500,
): Record<Name, string> {
  const entries = names.map((name) => {
    const value = form.get(name);
    const text = typeof value === 'string' ? value.slice(0, longest) : '';
    return [name, asTyped.has(name) ? text : text.trim()] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string>;
}
