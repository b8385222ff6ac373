// Unspecified: how much of a report beside its results is kept, in all runs together: rules, messages, files, bases and
// repositories.
const maxObjects = 100_000;
const maxCharacters = 16 * 2 ** 20;

/** What of the rules only people read has a budget of its own: a report without it still tells what is gone. */
const maxHelpCharacters = 16 * 2 ** 20;

/** Bounds the memory for a report before its results are read; once it is spent, nothing more is kept. */
export class SarifBudget {
  static readonly spentInWords =
    `more than ${maxObjects} rules, messages, artifacts, bases and repositories, or more than ${maxCharacters} ` +
    `characters ` +
    'in them: the others are not read';
  isSpent = false;
  private helpCharacters = 0;
  private objects = 0;
  private characters = 0;

  /** Spends so much; returns whether it fits. */
  takes(objects: number, characters: number): boolean {
    this.objects += objects;
    this.characters += characters;
    this.isSpent ||= this.objects > maxObjects || this.characters > maxCharacters;
    return !this.isSpent;
  }

  /** Spends so much on what only people read; returns whether it fits. */
  takesHelp(characters: number): boolean {
    if (this.helpCharacters + characters > maxHelpCharacters) return false;
    this.helpCharacters += characters;
    return true;
  }
}
