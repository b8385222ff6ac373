const fallback = 'en-US';

/** The first well-formed one of these languages: browsers name some, such as `en-US@posix`, that `Intl` refuses. */
export function validLocale(languages: readonly string[]): string {
  for (const language of languages) {
    try {
      const [locale] = Intl.getCanonicalLocales(language);
      if (locale !== undefined) return locale;
    } catch {
      // The next one may be well-formed.
    }
  }
  return fallback;
}
