import { between, type Random } from '../../random.js';
import type { DemoAsset } from '../assets.js';
import type { DemoScan } from '../scans.js';
import type { DemoLevel, DemoStage } from '../vocabulary.js';

export interface DemoMessage {
  headers?: Record<string, string>;
  body?: string;
}

/** What goes with an event: a request and its answer, a piece of text, or a picture. */
export type DemoAttachment =
  | {
      type: 'EXCHANGE';
      exchange: {
        request: DemoMessage & { method: string; url: string };
        response?: DemoMessage & { status: number };
        durationMs?: number;
      };
    }
  | { type: 'SNIPPET'; snippet: { name?: string; language?: string; content: string } }
  | { type: 'SCREENSHOT'; screenshot: { url: string; alt?: string } };

/** What an event tells. */
export interface Happening {
  level: DemoLevel;
  stage: DemoStage;
  title: string;
  description: string;
  attachments: DemoAttachment[];
}

/** One event of the demo; `assets` and `issues` are names, an issue's with its asset. */
export interface DemoEvent extends Happening {
  scan: DemoScan;
  asset: DemoAsset;
  issue: { asset: string; name: string } | null;
  createdAt: Date;
}

/** Where something happens. */
export interface Scene {
  random: Random;
  scan: DemoScan;
  asset: DemoAsset;
}

export type Template = (scene: Scene) => Happening;

/** Takes one of the things, each as likely as the others. */
export function oneOf<T>(random: Random, things: readonly T[]): T {
  const thing = things[between(random, 0, things.length - 1)];
  if (thing === undefined) throw new Error('There is nothing to take one of');
  return thing;
}

export function snippet(name: string, language: string, content: string): DemoAttachment {
  return { type: 'SNIPPET', snippet: { name, language, content } };
}

/** The address of a picture that a scan took; the number tells it from its other pictures. */
export function screenshot({ random, scan }: Scene, alt: string): DemoAttachment {
  const url = `https://shots.harbour-outfitters.example/${scan.key}/${between(random, 1, 9_999)}.png`;
  return { type: 'SCREENSHOT', screenshot: { url, alt } };
}
