import { redirect } from '@sveltejs/kit';
import { isLanguage } from '$lib/texts/languages.ts';
import type { RequestHandler } from './$types';

const yearSeconds = 60 * 60 * 24 * 365;
const kept = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: yearSeconds } as const;

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');

/** The page of this shop that a form names; the first one where it names anything else. */
function backTo(path: FormDataEntryValue | null, origin: string): string {
  const url =
    typeof path === 'string' && path.startsWith('/') && URL.canParse(path, origin) ? new URL(path, origin) : null;
  return url?.origin === origin ? url.href : '/';
}

/** Keeps the language and the looks that a visitor chose in the footer. */
export const POST: RequestHandler = async ({ request, cookies, url }) => {
  const form = await request.formData();
  const [language, theme] = [textOf(form.get('language')), textOf(form.get('theme'))];
  if (isLanguage(language)) cookies.set('language', language, kept);
  if (theme === 'light' || theme === 'dark') cookies.set('theme', theme, kept);
  if (theme === 'system') cookies.delete('theme', { path: '/' });
  redirect(303, backTo(form.get('back'), url.origin));
};
