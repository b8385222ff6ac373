export const stateOfHost = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isStandby",
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline`;
