/** What became of a backup; `awaited` only notes when the service first looked at the schedule. */
export const backupOutcomes = ['awaited', 'running', 'interrupted', 'kept', 'failed'] as const;
export type BackupOutcome = (typeof backupOutcomes)[number];
