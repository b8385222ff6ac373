import { demo } from '../../platform/openapi/demo-values.js';
import { BooleanField, DateTimeField, StringField, UuidField } from '../../platform/validation/fields.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';

export class Address {
  @UuidField()
  id: string;
  @StringField({ example: 'Ada' })
  first_name: string;
  @StringField({ example: 'Lovelace' })
  last_name: string;
  @StringField({ example: '12 St James Square' })
  address: string;
  @StringField({ example: 'Springfield' })
  city: string;
  @StringField({ example: '01101' })
  zip_code: string;
  @StringField({ example: 'United States' })
  country: string;
  @StringField({ nullable: true, example: null })
  phone: string | null;
  @BooleanField({ description: 'Whether a checkout proposes it first; true for exactly one' })
  is_default: boolean;
  @DateTimeField()
  created_at: Date;
}

// The lengths are those of a checkout's shipping.
const firstName = { ...saidText, maxLength: 100, example: 'Ada' };
const lastName = { ...saidText, maxLength: 100, example: 'Lovelace' };
const street = { ...saidText, maxLength: 300, example: '12 St James Square' };
const city = { ...saidText, maxLength: 100, example: 'Springfield' };
const zipCode = { ...saidText, maxLength: 20, example: '01101' };
const country = { ...saidText, maxLength: 100, example: 'United States' };
const phone = { ...optionalText, maxLength: 50, example: '+1 555 0100' };

export class AddressCreate {
  @StringField(firstName)
  first_name: string;
  @StringField(lastName)
  last_name: string;
  @StringField(street)
  address: string;
  @StringField(city)
  city: string;
  @StringField(zipCode)
  zip_code: string;
  @StringField({ ...country, default: 'United States', blank: 'none' })
  country: string;
  @StringField(phone)
  phone?: string | null;
  @BooleanField({ default: false, description: 'The first address is the default in any case' })
  is_default: boolean;
}

const unchanged = { optional: true, nullable: true } as const;

export class AddressUpdate {
  @StringField({ ...firstName, ...unchanged })
  first_name?: string | null;
  @StringField({ ...lastName, ...unchanged })
  last_name?: string | null;
  @StringField({ ...street, ...unchanged })
  address?: string | null;
  @StringField({ ...city, ...unchanged })
  city?: string | null;
  @StringField({ ...zipCode, ...unchanged })
  zip_code?: string | null;
  @StringField({ ...country, ...unchanged })
  country?: string | null;
  @StringField(phone)
  phone?: string | null;
  @BooleanField({
    ...unchanged,
    description: 'true takes the place of the present default; false changes nothing, since there is always one',
  })
  is_default?: boolean | null;
}

export class AddressPath {
  @UuidField({ example: demo('address') })
  address_id: string;
}
