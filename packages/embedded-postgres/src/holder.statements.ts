/** Arbitrary numbers, the same in every release: copies of different releases may share a server. */
const usersLock = 7_305_808_868;
const setupLock = 7_305_808_869;

export const lockSetup = `SELECT pg_advisory_lock(${setupLock})`;
export const unlockSetup = `SELECT pg_advisory_unlock(${setupLock})`;

export const shareUse = `SELECT pg_try_advisory_lock_shared(${usersLock}) AS held`;
export const stopSharingUse = `SELECT pg_advisory_unlock_shared(${usersLock})`;
/** Succeeds where nobody shares the use any more. */
export const takeUse = `SELECT pg_try_advisory_lock(${usersLock}) AS last`;

export const roleNamed = 'SELECT FROM pg_roles WHERE rolname = $1';
export const databaseNamed = 'SELECT FROM pg_database WHERE datname = $1';
export const dataDirectory = 'SHOW data_directory';

/** Utility statements take no parameters: quote every value here. */
export const createRole = (role: string, password: string): string =>
  `CREATE ROLE ${role} LOGIN CREATEDB PASSWORD ${password}`;
export const createDatabase = (name: string, owner: string): string => `CREATE DATABASE ${name} OWNER ${owner}`;
export const allowToSet = (parameter: string, role: string): string => `GRANT SET ON PARAMETER ${parameter} TO ${role}`;
