// Unspecified: how much is kept of what a report says beside its results, in all its runs together: rules, messages, files,
// bases and repositories.
const maxObjects = 100_000;
const maxCharacters = 16 * 2 ** 20;

/** What a report may have remembered of it before its results are read; once it is spent, nothing more is. */
export class SarifBudget {
  static readonly spentInWords =
    `more than ${maxObjects} rules, messages, artifacts, bases and repositories, or more than ${maxCharacters} characters ` +
    'in them: those beyond are not read';
  isSpent = false;
  private objects = 0;
  private characters = 0;

  /** Whether so much more is kept. */
  takes(objects: number, characters: number): boolean {
    this.objects += objects;
    this.characters += characters;
    this.isSpent ||= this.objects > maxObjects || this.characters > maxCharacters;
    return !this.isSpent;
  }
}
