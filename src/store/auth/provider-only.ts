import { Forbidden } from '../../platform/errors/errors.js';

/** Refuses the password of an admin where admins sign in with the provider of OpenID Connect alone. */
export function providerOnly(label: string): Forbidden {
  return new Forbidden(`Admins of this shop sign in with ${label}: a password does not do`, 'provider_only');
}
