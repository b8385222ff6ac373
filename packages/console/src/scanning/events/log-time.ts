/** Writes times to the millisecond, as a log has them: many events differ in nothing else. Before the time stands the day, if it is not the present one. */
export function logTimesIn(locale: string, timeZone?: string): (at: string, now: number) => string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat(locale, { month: 'numeric', day: 'numeric', ...zone });
  const timeOfDay = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    ...zone,
  });
  return (at, now) => {
    const [date, time] = [day.format(new Date(at)), timeOfDay.format(new Date(at))];
    return date === day.format(now) ? time : `${date} ${time}`;
  };
}
