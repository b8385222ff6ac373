import { contextInUse } from '../api/contexts.js';
import { forgetCredentials } from '../api/credentials-file.js';
import type { Context } from './context.js';

/** `logout`: forgets the kept key. */
export function logOut({ surroundings, notify, contextName }: Context): void {
  const file = forgetCredentials(surroundings, contextInUse(surroundings, contextName));
  if (file === null) notify('No key is kept');
  else notify(`${file} is deleted. The key itself goes on until an admin revokes it: store keys revoke`);
  if (surroundings.env['STORE_API_KEY']) notify('STORE_API_KEY is still set');
}
