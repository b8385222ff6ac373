/**
 * Names of values, such as states, severities and kinds, by the value in small letters. Those that are not here are made of the
 * words of the value, which are English.
 */
export const names: Readonly<Record<string, string | undefined>> = {
  // The interface writes them in British English.
  cancelled: 'canceled',
  paid_but_cancelled: 'paid, but canceled',
};
