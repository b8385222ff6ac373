import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const self = 'test/architecture/words.test.ts';

interface Word {
  /** The words that are out of use, in names, comments, titles and documentation. */
  old: RegExp;
  /** The words in their place. */
  say: string;
  /** The places where it is ordinary English, or a name that stays. */
  except?: RegExp;
  /** Files in which it is ordinary English. */
  not?: RegExp;
}

/** In these files, keys and buttons are pressed. */
const pressed = /^(console\/src|test\/console)\//;

const words: Word[] = [
  {
    old: /rooms\b|\b(a|each|every|the|other|lower|whose|its own|this|of a) room\b/i,
    say: 'module',
    except: /lights the room/,
  },
  { old: /topic/i, say: 'cache tag' },
  { old: /\btouch\(/, say: 'invalidate' },
  { old: /\b(tell|tells|hear|hears)\(/, say: 'publish, receive' },
  { old: /\b(shelf|shelves)\b|Shelf|shelf[A-Z]/, say: 'tag index' },
  { old: /flights?\b/i, say: 'in-flight request', except: /(in[- ]?|pre)flights?/i },
  { old: /\blanding\b|\blanded\b|Landing/, say: 'result' },
  { old: /\bcrew|Crew/, say: 'worker pool' },
  { old: /\blanes?\b|Lane\b|lane[A-Z]/, say: 'queue', except: /passes(,| and) one lane/ },
  { old: /worker[- ]?life/i, say: 'liveness lock' },
  { old: /\bhands\b[.:;,)]/, say: 'abort signal of the jobs in hand' },
  { old: /\btak(e|es|ing) turns\b|\b(its|their|his|each|own) turn\b/i, say: 'semaphore, lock, attempt number' },
  { old: /guess[-_ ]?limits?|GuessLimits/i, say: 'login attempts' },
  { old: /happenings?\b/i, say: 'events' },
  { old: /attempt[- _]?book/i, say: 'attempt log' },
  { old: /(?<!\.)\bpress(es)?\b(?!\(name)|\bpress[A-Z]|(?<!x)Press[A-Z]?\b/, say: 'chunker', not: pressed },
  { old: /\bsinks?\b|Sink\b|sink[A-Z]/, say: 'writer' },
  { old: /\bstanding\b|Standing/, say: 'default headers, account state' },
  { old: /\bdemand[A-Z]\w*/, say: 'assert…' },
  { old: /\b(he|his|him|himself|she|her|hers)\b/i, say: 'they, the caller, the owner' },
  { old: /\bNot shown:/, say: 'Unspecified:' },
  {
    old: /\bthe documents?['’]|\b(as|what|against|in|before) the documents?\b/i,
    say: 'the interface description',
    except: /in the document (order|itself)|where it stands in the document|places in the document/,
  },
  {
    old: /\b(payload|default|scoped)[- ]shapes?\b|\b(Payload|Default|Scoped)Shape|chooseShape/i,
    say: 'payload variant',
  },
  { old: /coupon-guess|CouponGuess/, say: 'coupon attempts', except: /["']coupon-guesses\\?["']/ },
  { old: /\bturns: number\b/, say: 'attempts, sequence' },
  {
    old: /^\s*(\/\*\*?|\*|\/\/) ?(Answers|Answer) (?!to\b|of\b|that\b|are\b|is\b)/,
    say: 'returns, responds with',
  },
  {
    old: /^\s*(\/\*\*|\*).*\b(answers|answer) (the|a|an|what|whether|how|its|null|undefined|true|false)\b/,
    say: 'returns, responds with',
    except: /answers with a status/,
  },
];

/** Texts of the demo and reports of other tools, in the words of shops and tools. */
const data = /^src\/demo\/|^sdk\/src\/generated\/|^src\/database\/demo\/|^test\/support\/tool-reports\//;

function textFiles(place: string): string[] {
  const url = new URL(place, root);
  if (!existsSync(url)) return [];
  if (!statSync(url).isDirectory()) return [place];
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .map((file) => `${place}/${file}`)
    .filter((file) => /\.(ts|mjs|cjs|md|txt|svelte|ya?ml|sh|cfg|json|env)$/.test(file));
}

const places = ['src', 'packages/console/src', 'packages/sdk/src', 'test', 'bench', 'scripts', 'deploy', 'docs'];
const files = [
  ...places,
  '.env.example',
  'README.md',
  'CONTRIBUTING.md',
  'packages/console/README.md',
  'packages/sdk/README.md',
]
  .flatMap(textFiles)
  .filter((file) => file !== self && !data.test(file));

function findingsIn(file: string): string[] {
  const lines = [file, ...readFileSync(new URL(file, root), 'utf8').split('\n')];
  return lines.flatMap((line, number) =>
    words
      .filter(({ not }) => !not?.test(file))
      .filter(({ old, except }) => old.test(except ? line.replace(new RegExp(except, 'gi'), '') : line))
      .map(({ say }) => `${file}:${number} ${line.trim().slice(0, 100)} (say: ${say})`),
  );
}

describe('The words of the code', () => {
  it('are the ones that the field uses', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(findingsIn)).toEqual([]);
  });
});
