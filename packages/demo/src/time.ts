const dayMs = 24 * 3_600_000;

/** The moment that lies so many days, or parts of a day, before `moment`. */
export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - Math.round(days * dayMs));
}

/** The moment that lies so many days, or parts of a day, after `moment`. */
export function daysAfter(moment: Date, days: number): Date {
  return daysBefore(moment, -days);
}
