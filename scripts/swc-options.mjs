/** How swc compiles the project's TypeScript: for the build, for scripts, and for Jest. Types are checked by `npm run types`. */
export const swcOptions = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
};
