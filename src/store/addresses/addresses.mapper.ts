import type { Address } from './addresses.dto.js';
import type { UserAddressEntity } from './user-address.entity.js';

export function toAddress(entity: UserAddressEntity): Address {
  const { id, firstName, lastName, address, city, zipCode, country, phone, isDefault, createdAt } = entity;
  return {
    id,
    first_name: firstName,
    last_name: lastName,
    address,
    city,
    zip_code: zipCode,
    country,
    phone,
    is_default: isDefault,
    created_at: createdAt,
  };
}
