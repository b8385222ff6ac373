/** Its timeline is another one after each promotion. */
export const positionOfPrimary = `
  SELECT lsn::text, left(pg_walfile_name(lsn), 8) AS timeline FROM pg_current_wal_insert_lsn() AS lsn`;

export const stateOfReplica = 'SELECT pg_is_in_recovery() AS standby, pg_last_wal_replay_lsn()::text AS lsn';
