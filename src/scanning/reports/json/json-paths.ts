/** The key of a field, or the index of an element. */
export type JsonStep = string | number;

/**
 * What to find in a document. A path is written `runs[].results[]` or `advisories.*`: keys, `[]` for the elements of an
 * array, and `*` for the fields of an object that have no path of their own.
 */
export interface JsonSelection {
  /** Paths whose values are read. */
  paths: readonly string[];
  /** Paths whose values are reported, but not read. */
  watched?: readonly string[];
  /** A path whose values are only counted. */
  counted?: string;
}

/** A place that lies on a path, and the places below it; `0` stands for all elements of an array. */
export class JsonPlace {
  isRead = false;
  isCounted = false;
  private readonly below = new Map<JsonStep, JsonPlace>();

  constructor(readonly path: string) {}

  static rootOf({ paths, watched = [], counted }: JsonSelection): JsonPlace {
    const root = new JsonPlace('');
    for (const path of paths) root.add(path).isRead = true;
    for (const path of watched) root.add(path);
    if (counted !== undefined) root.add(counted).isCounted = true;
    return root;
  }

  at(step: JsonStep): JsonPlace | undefined {
    if (typeof step === 'number') return this.below.get(0);
    return this.below.get(step) ?? this.below.get('*');
  }

  private add(path: string): JsonPlace {
    let place = this as JsonPlace;
    for (const { 0: name, index } of path.matchAll(/\[\]|[^.[\]]+/g)) {
      const step = name === '[]' ? 0 : name;
      const next = place.below.get(step) ?? new JsonPlace(path.slice(0, index + name.length));
      place.below.set(step, next);
      place = next;
    }
    return place;
  }
}

/** The steps as people write them: `runs[0].tool.driver`. */
export function pathInWords(at: readonly JsonStep[]): string {
  const steps = at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}
