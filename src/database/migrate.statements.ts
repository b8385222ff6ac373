/** An arbitrary number that no other lock has. */
const migrationLock = 5_284_113_001;

export const lockMigrations = `SELECT pg_try_advisory_lock(${migrationLock}) AS taken`;
export const unlockMigrations = `SELECT pg_advisory_unlock(${migrationLock})`;
