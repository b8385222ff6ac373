import { createRequire } from 'node:module';

type ClassValidator = typeof import('class-validator');

/** Only class-validator's check: its index would load all others too, with the telephone numbers of the world. */
export const { isEmail } = createRequire(import.meta.url)('class-validator/cjs/decorator/string/IsEmail.js') as Pick<
  ClassValidator,
  'isEmail'
>;
