const [hourSeconds, daySeconds] = [3_600, 86_400];

/**
 * The ticks of an axis of time, as a reader writes days and hours; below the first one of a day or year, which one it is.
 * `every` is the time in seconds from one tick to the next.
 */
export function namesOfTimes(
  ticks: readonly number[],
  every: number,
  { locale, timeZone }: { locale: string; timeZone?: string },
): string[] {
  const namesBy = (parts: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...parts, ...(timeZone !== undefined && { timeZone }) });
    return ticks.map((tick) => format.format(tick * 1000));
  };
  const days = namesBy({ month: 'numeric', day: 'numeric' });
  const [above, below] =
    every < daySeconds
      ? [namesBy({ hour: 'numeric', ...(every < hourSeconds && { minute: '2-digit' }) }), days]
      : [days, namesBy({ year: 'numeric' })];
  return above.map((name, at) => (below[at] === below[at - 1] ? name : `${name}\n${below[at]}`));
}
