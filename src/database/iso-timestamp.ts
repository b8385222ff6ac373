/** SQL that renders a timestamp as the API shows it, for JSON that is built in the database. */
export function isoTimestamp(expression: string): string {
  return `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
