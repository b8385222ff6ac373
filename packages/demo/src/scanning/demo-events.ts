import { assets, type DemoAsset } from '../data/scanning/assets.js';
import { agentEvents } from '../data/scanning/events/agent-events.js';
import { codeEvents, surfaceEvents } from '../data/scanning/events/estate-events.js';
import { serviceEvents } from '../data/scanning/events/service-events.js';
import { webEvents } from '../data/scanning/events/web-events.js';
import { issues } from '../data/scanning/issues.js';
import type { DemoIssue } from '../data/scanning/issues/demo-issue.js';
import { type DemoScan, type ScanManner, scans } from '../data/scanning/scans.js';
import { named } from '../named.js';
import { oneOf, pick, type Random, seededRandom, type Weighted } from '../random.js';
import type { DemoEvent, EventContent, Scene, Template } from '../data/scanning/events/demo-event.js';
import { closing, finding, opening, progress } from './scan-edges.js';
import { timesOf } from './scan-times.js';

const templates: Record<ScanManner, readonly Weighted<Template>[]> = {
  rest: serviceEvents,
  graphql: serviceEvents,
  grpc: serviceEvents,
  web: webEvents,
  surface: surfaceEvents,
  code: codeEvents,
  agent: agentEvents,
};

/** Findings lie between these parts of a scan. Its progress is reported ten times. */
const firstFinding = 0.2;
const lastFinding = 0.95;
const progressSteps = 10;
const mainAssetShare = 0.7;

type PlacedContent = Pick<DemoEvent, 'asset' | 'issue'> & EventContent;

const assetsByName = new Map(assets.map((asset) => [asset.name, asset]));

/** Makes the events of every scan, scan by scan, oldest first. The same `now` and `seed` give the same events. */
export function demoEvents(now: Date, seed = 1): DemoEvent[] {
  const random = seededRandom(seed);
  return scans.flatMap((scan) => eventsOf(scan, now, random));
}

function eventsOf(scan: DemoScan, now: Date, random: Random): DemoEvent[] {
  const main = named(assetsByName, scan.assets[0] ?? '');
  const scene: Scene = { random, scan, asset: main };
  const plain = (content: EventContent): PlacedContent => ({ ...content, asset: main, issue: null });
  const [begin, end] = [opening(scene).slice(0, scan.events).map(plain), closing(scene).map(plain)];
  const told = [...begin, ...body(scene, scan.events - begin.length - end.length), ...end];
  return told.map((event, at) => ({ ...event, scan, createdAt: momentOf(scan, now, at, told.length, random) }));
}

/** Each event has a slice of the scan's time, so that they are in order. */
function momentOf(scan: DemoScan, now: Date, at: number, count: number, random: Random): Date {
  const { begin, end } = timesOf(scan, now);
  const lasted = end.getTime() - begin.getTime();
  return new Date(begin.getTime() + Math.floor(lasted * ((at + 0.8 * random()) / count)));
}

function body(scene: Scene, count: number): PlacedContent[] {
  const found = findingsAt(scene.scan, count);
  const progressEvery = Math.max(2, Math.round(count / progressSteps));
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const issue = found.get(at);
    if (issue) return findingOf(scene, issue);
    const asset = assetAt(scene);
    const isProgress = at % progressEvery === progressEvery - 1;
    const ratio = (scene.scan.progressRatio * (at + 1)) / (count + 1);
    const tell = isProgress ? () => progress(scene, ratio) : pick(scene.random, templates[scene.scan.manner]);
    return { ...tell({ ...scene, asset }), asset, issue: null };
  });
}

function assetAt({ random, scan, asset }: Scene): DemoAsset {
  return random() < mainAssetShare ? asset : named(assetsByName, oneOf(random, scan.assets));
}

function findingOf(scene: Scene, issue: DemoIssue): PlacedContent {
  const asset = named(assetsByName, issue.asset);
  return { ...finding({ ...scene, asset }, issue), asset, issue };
}

/** The issues that a scan finds, by the number of the event that reports each. */
function findingsAt(scan: DemoScan, count: number): Map<number, DemoIssue> {
  const own = issues.filter(({ scans: found }) => found.includes(scan.key));
  const step = (count * (lastFinding - firstFinding)) / Math.max(1, own.length);
  return new Map(own.map((issue, at) => [Math.floor(count * firstFinding + at * step), issue]));
}
