export const positionOfPrimary = 'SELECT pg_current_wal_insert_lsn()::text AS lsn';

export const stateOfReplica = 'SELECT pg_is_in_recovery() AS standby, pg_last_wal_replay_lsn()::text AS lsn';
