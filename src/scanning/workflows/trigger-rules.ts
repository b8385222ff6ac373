import { CronExpressionParser } from 'cron-parser';
import { Invalid } from '../../platform/errors/invalid.js';
import type { WorkflowTrigger } from './workflows.dto.js';

const zoneName = /^[A-Za-z][\w+\-/]*$/;
const hashed = /(^|[\s,])H/i;

function isTimeZone(name: string): boolean {
  try {
    return zoneName.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

function fault(field: 'cron' | 'timeZone', msg: string, type = 'value_error'): Invalid {
  return Invalid.at(['body', 'trigger', field], type, msg);
}

/** The first time after `after` of a cron expression (five fields) in a time zone; throws if there is none. */
export function nextScheduledTime(cron: string, timeZone: string, after: Date): Date {
  return CronExpressionParser.parse(cron, { tz: timeZone, currentDate: after }).next().toDate();
}

/** Throws `Invalid` unless the time zone exists, and a schedule has a cron expression that comes true. */
export function assertTrigger({ type, cron, timeZone }: WorkflowTrigger): void {
  if (!isTimeZone(timeZone)) {
    throw fault('timeZone', 'Input should be the name of a time zone, such as UTC or Europe/Berlin');
  }
  if (type !== 'SCHEDULE') {
    if (cron) throw fault('cron', 'Only a trigger of type SCHEDULE has a cron expression: remove it');
    return;
  }
  if (!cron) throw fault('cron', 'Field required', 'missing');
  // The parser would take six fields, the first of seconds, and H, which is a random time.
  if (cron.trim().split(/\s+/).length !== 5 || hashed.test(cron)) {
    throw fault('cron', 'Input should be a cron expression of five fields: minute hour day month weekday');
  }
  try {
    nextScheduledTime(cron, timeZone, new Date());
  } catch {
    throw fault(
      'cron',
      'Input should be a cron expression that is true at some time, such as "0 6 * * 1" for Mondays at six',
    );
  }
}
