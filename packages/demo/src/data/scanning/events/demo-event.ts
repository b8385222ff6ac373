import type {
  AttachmentCreate,
  EventCreate,
} from '../../../../../../src/scanning/scan-events/scan-event-append.dto.js';
import type { DemoAsset } from '../assets.js';
import type { DemoIssue } from '../issues/demo-issue.js';
import type { DemoScan } from '../scans.js';
import { between, type Random, type Weighted } from '../../../random.js';

/** The contents of an event. */
export type EventContent = Pick<EventCreate, 'level' | 'stage' | 'title' | 'description' | 'attachments'>;

/** One event of the demo. */
export interface DemoEvent extends EventContent {
  scan: DemoScan;
  asset: DemoAsset;
  issue: DemoIssue | null;
  createdAt: Date;
}

/** Where an event happens. */
export interface Scene {
  random: Random;
  scan: DemoScan;
  asset: DemoAsset;
}

/** Makes the content of an event. */
export type Template = (scene: Scene) => EventContent;

type Told = Pick<EventContent, 'title' | 'description'> & Partial<EventContent>;

/** A template by what all of its events have in common, unless `tell` says otherwise. */
export function template(
  { weight, level, stage = 'EXECUTION' }: { weight: number } & Pick<EventContent, 'level'> & Partial<EventContent>,
  tell: (scene: Scene) => Told,
): Weighted<Template> {
  return { weight, value: (scene) => ({ level, stage, attachments: [], ...tell(scene) }) };
}

export function snippet(name: string, language: string, content: string): AttachmentCreate {
  return { type: 'SNIPPET', snippet: { name, language, content } };
}

/** The address of a picture that a scan took. Its number tells it from the scan's other pictures. */
export function screenshot({ random, scan }: Scene, alt: string): AttachmentCreate {
  const url = `https://shots.harbour-outfitters.example/${scan.key}/${between(random, 1, 9_999)}.png`;
  return { type: 'SCREENSHOT', screenshot: { url, alt } };
}
