// Jest reads the mutant where a test imports its file. The file itself stays as it is, whatever becomes of the run.
import { createHash } from 'node:crypto';
import swcJest from '@swc/jest';

export default {
  createTransformer({ path, text, swc }) {
    const inner = swcJest.createTransformer(swc);
    const read = (source, of) => (of === path ? text : source);
    return {
      process: (source, of, options) => inner.process(read(source, of), of, options),
      processAsync: (source, of, options) => inner.processAsync(read(source, of), of, options),
      // Without the settings of the run, which differ by mutant: all other files are transformed once.
      getCacheKey: (source, of) =>
        createHash('sha256')
          .update(`${of}\n${read(source, of)}`)
          .digest('hex')
          .slice(0, 32),
    };
  },
};
