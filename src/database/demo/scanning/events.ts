import { pick, type Random, seededRandom, type Weighted } from '../random.js';
import { assets, type DemoAsset } from './assets.js';
import { agentHappenings } from './events/agent-happenings.js';
import type { DemoEvent, Happening, Scene, Template } from './events/demo-event.js';
import { closing, finding, opening, progress } from './events/edges.js';
import { codeHappenings, surfaceHappenings } from './events/estate-happenings.js';
import { serviceHappenings } from './events/service-happenings.js';
import { webHappenings } from './events/web-happenings.js';
import { issues } from './issues.js';
import type { DemoIssue } from './issues/demo-issue.js';
import { type DemoScan, type ScanManner, scans, timesOf } from './scans.js';

const happenings: Record<ScanManner, readonly Weighted<Template>[]> = {
  rest: serviceHappenings,
  graphql: serviceHappenings,
  grpc: serviceHappenings,
  web: webHappenings,
  surface: surfaceHappenings,
  code: codeHappenings,
  agent: agentHappenings,
};

/** Findings lie between these parts of a scan; how far it is is told ten times. */
const firstFinding = 0.2;
const lastFinding = 0.95;
const progressSteps = 10;
const mainAssetShare = 0.7;

type Told = Pick<DemoEvent, 'asset' | 'issue'> & Happening;

/** The asset of this name; the demo data is wrong where there is none. */
export function assetOf(name: string): DemoAsset {
  const asset = assets.find((candidate) => candidate.name === name);
  if (!asset) throw new Error(`The demo data speaks of the asset "${name}", which it does not have`);
  return asset;
}

/** Makes the events of every scan, scan by scan, oldest first; the same `now` and `seed` give the same events. */
export function demoEvents(now: Date, seed = 1): DemoEvent[] {
  const random = seededRandom(seed);
  return scans.flatMap((scan) => eventsOf(scan, now, random));
}

function eventsOf(scan: DemoScan, now: Date, random: Random): DemoEvent[] {
  const [main] = scan.assets.map(assetOf);
  if (!main) throw new Error(`The demo's scan "${scan.key}" has no asset`);
  const scene: Scene = { random, scan, asset: main };
  const plain = (happening: Happening): Told => ({ ...happening, asset: main, issue: null });
  const [begin, end] = [opening(scene).slice(0, scan.events).map(plain), closing(scene).map(plain)];
  const told = [...begin, ...body(scene, scan.events - begin.length - end.length), ...end];
  return told.map((event, at) => ({ ...event, scan, createdAt: momentOf(scan, now, at, told.length, random) }));
}

/** Each event has a slice of the scan's time, so that their order is that of time. */
function momentOf(scan: DemoScan, now: Date, at: number, count: number, random: Random): Date {
  const { begin, end } = timesOf(scan, now);
  const lasted = end.getTime() - begin.getTime();
  return new Date(begin.getTime() + Math.floor(lasted * ((at + 0.8 * random()) / count)));
}

function body(scene: Scene, count: number): Told[] {
  const found = findingsAt(scene.scan, count);
  const progressEvery = Math.max(2, Math.round(count / progressSteps));
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const issue = found.get(at);
    if (issue) return findingOf(scene, issue);
    const asset = assetAt(scene);
    const isProgress = at % progressEvery === progressEvery - 1;
    const ratio = (scene.scan.progressRatio * (at + 1)) / (count + 1);
    const happening = isProgress ? progress(scene, ratio) : pick(scene.random, templatesOf(scene))({ ...scene, asset });
    return { ...happening, asset, issue: null };
  });
}

function templatesOf({ scan }: Scene): readonly Weighted<Template>[] {
  return happenings[scan.manner];
}

function assetAt({ random, scan, asset }: Scene): DemoAsset {
  if (random() < mainAssetShare) return asset;
  const name = scan.assets[Math.floor(random() * scan.assets.length)];
  return name === undefined ? asset : assetOf(name);
}

function findingOf(scene: Scene, issue: DemoIssue): Told {
  const asset = assetOf(issue.asset);
  return { ...finding({ ...scene, asset }, issue), asset, issue: { asset: issue.asset, name: issue.name } };
}

/** At which of its events a scan finds each of its issues: one event for each issue. */
function findingsAt(scan: DemoScan, count: number): Map<number, DemoIssue> {
  const own = issues.filter(({ scans: found }) => found.includes(scan.key));
  const step = (count * (lastFinding - firstFinding)) / Math.max(1, own.length);
  return new Map(own.map((issue, at) => [Math.floor(count * firstFinding + at * step), issue]));
}
