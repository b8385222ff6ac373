export const preparedOfName = 'SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE name = $1';
