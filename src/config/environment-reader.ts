export type Environment = Record<string, string | undefined>;

/** Reads and checks environment variables, and collects their faults. */
export class EnvironmentReader {
  readonly problems: string[] = [];
  /** The names that were asked for. */
  readonly names = new Set<string>();

  constructor(private readonly environment: Environment) {}

  text(name: string): string | undefined {
    this.names.add(name);
    const value = this.environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** The result of `parse` for the variable; `parse` returns undefined for an invalid value. */
  parsed<T>(name: string, takes: string, fallback: T, parse: (value: string) => T | undefined): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const result = parse(value);
    if (result !== undefined) return result;
    this.problems.push(`${name} is ${JSON.stringify(value)}, and takes ${takes}`);
    return fallback;
  }

  /** Like `parsed`, for a variable whose value must not appear in a log. */
  secret(name: string, takes: string, isUsable: (value: string) => boolean): string | undefined {
    const value = this.text(name);
    if (value === undefined || isUsable(value)) return value;
    this.problems.push(`${name} cannot be used: it takes ${takes}`);
    return undefined;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.parsed(name, `a whole number from ${min} to ${max}`, fallback, (value) => {
      const number = Number(value);
      return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined;
    });
  }

  flag<T extends boolean | undefined>(name: string, fallback: T): boolean | T {
    return this.parsed<boolean | T>(name, 'true or false', fallback, (value) =>
      value === 'true' ? true : value === 'false' ? false : undefined,
    );
  }

  choice<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    return this.parsed(name, `one of ${choices.join(', ')}`, fallback, (value) => choices.find((one) => one === value));
  }
}
