import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { nameBounds } from '../name-field.js';
import { type LocationType, locationTypes } from '../vocabulary.js';

// Unspecified: lengths of the texts; those of the longest URL, IP address and region name that make sense.
const target = { minLength: 1, maxLength: 2_048, pattern: /^\S+$/, patternHint: 'Input should be a URL or a hostname' };
const maxIp = 45;
const maxRegion = 100;

/** A location, named as in the interface description. */
export class Proxy {
  @UuidField()
  id: string;
  @StringField({ example: 'Platform, Frankfurt' })
  name: string;
  @EnumField(locationTypes)
  type: LocationType;
  @StringField({ description: 'URL or hostname', example: 'eu-central.scanners.example' })
  target: string;
  @StringField({ optional: true, nullable: true })
  ip: string | null;
  @StringField({ optional: true, nullable: true, example: 'eu-central' })
  region: string | null;
  @BooleanField()
  enabled: boolean;
  @DateTimeField()
  createdAt: Date;
}

export class ProxyPage {
  @ArrayField(() => Proxy)
  data: Proxy[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class ProxyCreate {
  @StringField({ ...nameBounds, example: 'Data centre Paris' })
  name: string;
  @EnumField(locationTypes)
  type: LocationType;
  @StringField({ ...target, example: 'scanner.internal.example.com' })
  target: string;
  @StringField({ optional: true, nullable: true, maxLength: maxIp, description: 'An IPv4 or IPv6 address' })
  ip?: string | null;
  @StringField({ optional: true, nullable: true, maxLength: maxRegion })
  region?: string | null;
  @BooleanField({ default: true, nullable: 'ignored' })
  enabled: boolean;
}

/** Omitted fields stay as they are; null removes `ip` or `region`. */
export class ProxyUpdate {
  @StringField({ ...nameBounds, optional: true, nullable: 'ignored' })
  name?: string;
  @EnumField(locationTypes, { optional: true, nullable: 'ignored' })
  type?: LocationType;
  @StringField({ ...target, optional: true, nullable: 'ignored' })
  target?: string;
  @StringField({ optional: true, nullable: true, maxLength: maxIp, description: 'An IPv4 or IPv6 address' })
  ip?: string | null;
  @StringField({ optional: true, nullable: true, maxLength: maxRegion, example: 'eu-west' })
  region?: string | null;
  @BooleanField({ optional: true, nullable: 'ignored' })
  enabled?: boolean;
}

export class LocationPath {
  @UuidField({ example: demo('location') })
  id: string;
}
