import { outsideKinds, type OutsideKind } from '../platform/net/outside-calls.js';
import { EnumField, IntegerField, StringField } from '../platform/validation/fields.js';
import { OptionalBody } from '../platform/validation/optional-body.js';
import { type Effect, effects } from './faults.js';

@OptionalBody()
export class ResetRequest {
  /** A seed of the service, or a file of rows. */
  @StringField({ default: 'demo', maxLength: 200, pattern: /^(?:demo|empty|[\w./-]+\.json)$/ })
  seed: string;
}

@OptionalBody()
export class ClockTurn {
  @StringField({ optional: true, format: 'date-time' })
  now?: string;
  /** Seconds, or a duration of ISO 8601 such as `P30D`; may be negative. */
  @StringField({ optional: true, maxLength: 40 })
  advance?: string;
}

export class MailQuery {
  @StringField({ optional: true, maxLength: 254 })
  to?: string;
}

export class TotpRequest {
  @StringField({ maxLength: 50 })
  username: string;
}

export class FaultRequest {
  @EnumField(outsideKinds)
  kind: OutsideKind;
  @EnumField(effects)
  effect: Effect;
  @IntegerField({ default: 1, min: 1, max: 1_000_000 })
  count: number;
}

export class ReceiverPath {
  @StringField({ maxLength: 100 })
  name: string;
}

export class WebhookQuery {
  @StringField({ optional: true, maxLength: 100 })
  name?: string;
}

@OptionalBody()
export class SettleRequest {
  @IntegerField({ default: 30, min: 1, max: 600 })
  seconds: number;
}
