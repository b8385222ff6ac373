/** Only class-validator's check: its index would load all others too, with the telephone numbers of the world. */
export { isEmail } from 'class-validator/cjs/decorator/string/IsEmail.js';
