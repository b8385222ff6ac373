const fallback = 'en-US';

/** The first of these languages that is one by its form: browsers name some, such as `en-US@posix`, that `Intl` refuses. */
export function validLocale(languages: readonly string[]): string {
  for (const language of languages) {
    try {
      const [locale] = Intl.getCanonicalLocales(language);
      if (locale !== undefined) return locale;
    } catch {
      // The next one may be one.
    }
  }
  return fallback;
}
