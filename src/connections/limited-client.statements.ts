/** Server settings by their names. */
export type ServerSettings = Readonly<Record<string, string>>;

/** SQL that gives the transaction under way its settings, without a word to the log where it is a single statement. */
export function settingsSql(settings: ServerSettings): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `SELECT ${calls.join(', ')}`;
}
