const longestName = 40;

/** A name without case and separators, which people get wrong most often. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/**
 * The letters to insert, delete, change or swap with their neighbour to make one name of the other (the Damerau-Levenshtein
 * distance, in its restricted form).
 */
function distance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => (row === 0 ? column : (rows[row]?.[column] ?? Infinity));
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const changed = at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwap && row > 1 && column > 1 ? at(row - 2, column - 2) + 1 : Infinity;
      rows[row]?.push(Math.min(changed, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(one.length, other.length);
}

/** The known name that is nearest to `name`; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined;
  const given = bare(name);
  const most = Math.max(1, Math.floor(given.length / 3));
  let nearest: string | undefined;
  let least = most + 1;
  for (const one of known) {
    const candidate = bare(one);
    if (Math.abs(candidate.length - given.length) >= least) continue;
    const steps = distance(given, candidate);
    if (steps < least) [nearest, least] = [one, steps];
  }
  return nearest;
}
