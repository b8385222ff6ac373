type Json = Record<string, unknown>;

/** A log of one run by a tool named Lint. */
export function logOf(run: Json, rest: Json = {}): Json {
  const versionControlProvenance = [{ repositoryUri: 'https://code.example/acme/shop' }];
  return {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Lint' } }, versionControlProvenance, ...run }],
    ...rest,
  };
}

/** A log with one result of one rule. */
export function logWithRule(rule: Json, result: Json): Json {
  return logOf({
    tool: { driver: { name: 'Lint', rules: [{ id: 'R1', ...rule }] } },
    results: [{ ruleId: 'R1', ...result }],
  });
}

/** The message of a result. */
export const saying = (text: string): Json => ({ message: { text } });

/** The location of a result. */
export const inFile = (uri: string, more: Json = {}): Json => ({
  locations: [{ physicalLocation: { artifactLocation: { uri }, ...more } }],
});
