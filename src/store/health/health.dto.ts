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

/** Whether this node should get traffic. */
export class Readiness {
  @EnumField(['ready'])
  status: 'ready';
  @EnumField(['up', 'down'], { description: 'Whether uploaded pictures can be stored and read' })
  storage: 'up' | 'down';
}
