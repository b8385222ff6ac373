/** SQL of a place without what could be a credential: the user information and the query of an address. */
export const harmless = (text: string): string =>
  `regexp_replace(regexp_replace(${text}, '://[^/?#@\\s]*@', '://'), '(://[^?#\\s]*)[?#].*$', '\\1')`;

const asIs = (text: string): string => text;

/** SQL that builds the first place in an issue's newest report, from a row of `issue_details`; null where it has none. */
export const locationJson = (details: string, shown: (text: string) => string = asIs): string => {
  const first = `${details}.detail #> '{locations,0}'`;
  return `CASE WHEN ${first} IS NOT NULL THEN json_build_object(
    'path', ${shown(`${first} ->> 'path'`)}, 'startLine', ${first} -> 'startLine',
    'endLine', ${first} -> 'endLine', 'url', ${shown(`${first} ->> 'url'`)}) END`;
};
