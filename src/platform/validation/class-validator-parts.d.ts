/** Parts of class-validator that are taken by their file, for which it has no declarations. */
declare module 'class-validator/cjs/decorator/string/IsEmail.js' {
  export { isEmail } from 'class-validator';
}
