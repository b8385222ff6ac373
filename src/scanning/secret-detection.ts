const secretParts =
  /key|token|secret|passw|passphrase|passcode|pwd|credential|bearer|cookie|signature|connectionstring|dsn/;
const secretWords = new Set(['auth', 'authorization', 'jwt', 'otp', 'pat', 'pin', 'sas', 'session', 'sid', 'sig']);

/** Prefixes of the tokens of well-known services. */
const knownTokens =
  /^(AKIA|ASIA|AIza|ATATT|EAAC|eyJ|dop_v1_|gh[oprsu]_|github_pat_|gl[a-z]+-|hf_|npm_|pypi-|rk_|sk[-_]|ssk_|SG\.|shp[a-z]{2}_|whsec_|xox[a-z]-|ya29\.)/;
const scheme = /^(basic|bearer|digest|key|token)\s+\S/i;
const pemBlock = /-----BEGIN [A-Z ]+-----/;
const userInfoInUrl = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s@]+@/i;
/** `name=value` in a query, a connection string or a list of settings. */
const assignments = /(?:^|[?&;,\s])([^=&#?;,\s]+)=[^&#;,\s]/g;
const longestPlain = 4_096;

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

/** Whether a name is usual for a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return secretParts.test(words.join('')) || words.some((word) => secretWords.has(word));
}

function kindOf(character: string): string {
  if (/\d/.test(character)) return 'digit';
  return /[a-z]/.test(character) ? 'lower' : 'upper';
}

const shortestRandom = 16;
const leastChanges = 0.3;
const hexadecimal = /^([\da-f]{32,}|[\dA-F]{32,})$/;

/** Whether letters and digits alternate as in random text, unlike in words and numbers. */
function isRandom(run: string): boolean {
  if (!/\d/.test(run) || !/[A-Za-z]/.test(run)) return false;
  if (hexadecimal.test(run)) return true;
  const kinds = Array.from(run, kindOf);
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return changes / run.length >= leastChanges;
}

/** Whether a text looks like a secret, or contains one, whatever its name. */
export function looksSecret(text: string): boolean {
  if (text.length > longestPlain) return true;
  if ([knownTokens, scheme, pemBlock, userInfoInUrl].some((look) => look.test(text))) return true;
  if ([...text.matchAll(assignments)].some(([, name = '']) => isSecretName(name))) return true;
  return (text.match(/[A-Za-z\d]+/g) ?? []).some((run) => run.length >= shortestRandom && isRandom(run));
}
