import { looksSecret } from '../secret-detection.js';
import { masked } from '../../platform/crypto/secret-mask.js';

/** Words of code and messages: what stands between blanks, quotes, brackets and signs of assignment. */
const word = /[^\s"'`<>()[\]{},;=]+/g;
const pemBlock = /-----BEGIN [A-Z ]{1,50}-----[\s\S]*?(?:-----END [A-Z ]{1,50}-----|$)/g;

/** A text of a report with everything in it masked that looks like a secret. */
export function withoutSecrets(text: string): string {
  const blocks = text.replace(pemBlock, (block) =>
    masked((block.endsWith('-----') ? block.slice(0, -5) : block).trimEnd()),
  );
  return blocks.replace(word, (one) => (looksSecret(one) ? masked(one) : one));
}
