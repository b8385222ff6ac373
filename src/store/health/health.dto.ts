import { EnumField, NumberField, StringField } from '../../platform/validation/fields.js';

/** The body of the health check, which the interface description leaves open. */
export class Health {
  @EnumField(['ok', 'degraded'])
  status: 'ok' | 'degraded';
  @EnumField(['up', 'down'])
  database: 'up' | 'down';
  @EnumField(['on_time', 'late', 'unknown'], {
    description: 'Whether jobs run on time: `late` if one has waited for more than a minute',
  })
  jobs: 'on_time' | 'late' | 'unknown';
  @StringField({ example: '1.0.0' })
  version: string;
  @NumberField({ description: 'Seconds since the service started', example: 86400.5 })
  uptime_seconds: number;
}

export class ReadinessQuery {
  @StringField({ optional: true, maxLength: 5, description: 'With `?verbose`, it also says how jobs and backups are' })
  verbose?: string;
}

/** Whether this node should get traffic. */
export class Readiness {
  @EnumField(['ready'])
  status: 'ready';
  @EnumField(['up', 'down'], { description: 'Whether uploaded pictures can be stored and read' })
  storage: 'up' | 'down';
  @EnumField(['on_time', 'late', 'unknown'], { optional: true, description: 'With `verbose`: as in /health' })
  jobs?: Health['jobs'];
  @EnumField(['ok', 'none', 'late', 'failed', 'off'], {
    optional: true,
    description:
      'With `verbose`, of the backups that the service makes by itself: `none` before the first, `late` if two times of ' +
      'BACKUP_SCHEDULE passed without one, `failed` if the last one failed, `off` without a schedule',
  })
  backup?: 'ok' | 'none' | 'late' | 'failed' | 'off';
}
