/**
 * How texts are compared: searches ignore case and accents, and take composed and decomposed letters alike. PostgreSQL
 * normalizes Unicode alone; other encodings know composed letters only. `schema` is that of the extension unaccent.
 *
 * An index is made of `name_words`, and PostgreSQL evaluates those without a search path, so all its names are qualified. Its
 * cost keeps plans from evaluating it row by row. `name_query` takes each word as the beginning of a word, and is null where
 * there is none.
 *
 * Names sort by the root collation of Unicode (ICU's "und"), on a server that was built without ICU by code points.
 */
export function comparedTexts({ isUnicode, schema }: { isUnicode: boolean; schema: string }): string {
  const composed = isUnicode ? 'normalize(t, NFC)' : 't';
  return `
CREATE FUNCTION search_key(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN lower(unaccent('unaccent', lower(${composed})));
END $$;

CREATE FUNCTION search_pattern(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN '%' || replace(replace(replace(search_key(t), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%';
END $$;

CREATE FUNCTION name_words(t text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple', translate(
    lower(${schema}.unaccent('${schema}.unaccent', lower(${composed}))), './@_:+-''', '        '));
END $$;

CREATE FUNCTION name_query(t text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(tsvector_to_array(name_words(t))) AS word
$$;

DO $$
BEGIN
  CREATE COLLATION names_in_order (provider = icu, locale = 'und');
EXCEPTION WHEN OTHERS THEN
  CREATE COLLATION names_in_order FROM "C";
END $$;
`;
}
