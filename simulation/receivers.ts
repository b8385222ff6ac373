import type { Lost } from './history.js';
import type { Random } from './random.js';

/** What comes to a receiver. */
interface Received {
  receiver: string;
  headers: Record<string, string>;
  body: string;
}

/** A receiver that never answers: what is for it must be given up in the end. */
export const darkReceiver = 'dark';

type Mood = 'well' | 'failing' | 'hanging' | 'busy';
type Answered = { status: number; headers?: Record<string, string> } | Lost;

/** The receivers of webhooks: each is well for a while, then fails, hangs or is busy for a while, as the seed says. */
export class Receivers {
  /** Whether they may be anything but well. */
  hasFaults = false;
  private readonly moods = new Map<string, { mood: Mood; left: number }>();

  constructor(private readonly random: Random) {}

  receive({ receiver }: Received): Answered {
    if (receiver === darkReceiver) return { lost: 'it did not answer' };
    const mood = this.hasFaults ? this.moodOf(receiver) : 'well';
    if (mood === 'hanging') return { lost: 'it did not answer' };
    if (mood === 'failing') return { status: this.random.pick([500, 502, 404]) };
    if (mood === 'busy') return { status: 429, headers: { 'retry-after': String(this.random.between(1, 900)) } };
    return { status: 204 };
  }

  private moodOf(receiver: string): Mood {
    const known = this.moods.get(receiver);
    if (known && known.left-- > 0) return known.mood;
    const mood = this.random.weighted<Mood>([
      [6, 'well'],
      [2, 'failing'],
      [1, 'hanging'],
      [1, 'busy'],
    ]);
    this.moods.set(receiver, { mood, left: this.random.between(1, mood === 'well' ? 30 : 6) });
    return mood;
  }
}
