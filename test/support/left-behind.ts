/** Something that a release keeps only for nodes of the previous one. */
interface LeftBehind {
  /** The release that left it behind, and the migration. */
  since: string;
  migration: number;
  /** The statement with which a migration of the next release drops it. */
  drop: string;
  why: string;
}

interface Migration {
  timestamp: number;
  text: string;
}

export const leftBehind: LeftBehind[] = [
  {
    since: '1.0.0',
    migration: 1_700_000_025_200,
    drop: 'DROP INDEX IF EXISTS scan_events_profile_idx, scan_events_scan_idx',
    why: 'nodes of before list events by them; those of now by others, and each append writes all four',
  },
  {
    since: '1.0.0',
    migration: 1_700_030_001_000,
    drop: 'DROP TABLE IF EXISTS mail_outbox',
    why: 'nodes of before leave the mails of orders there, from where a trigger queues them',
  },
];

/** What an earlier release left behind and no later migration drops. */
export function overdue(left: LeftBehind[], release: string, migrations: Migration[]): string[] {
  const isDropped = ({ migration, drop }: LeftBehind): boolean =>
    migrations.some(({ timestamp, text }) => timestamp > migration && text.includes(drop));
  return left.filter((one) => one.since !== release && !isDropped(one)).map(({ drop }) => drop);
}
