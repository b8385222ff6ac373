import { issues } from '../data/scanning/issues.js';
import type { DemoIssue } from '../data/scanning/issues/demo-issue.js';
import type { DemoScan } from '../data/scanning/scans.js';
import { type EventContent, screenshot, type Scene, snippet } from '../data/scanning/events/demo-event.js';
import { callAt, exchange, unanswered } from '../data/scanning/events/exchanges.js';

type Told = Omit<EventContent, 'attachments' | 'stage'> & Partial<EventContent>;

function content(told: Told): EventContent {
  return { stage: 'EXECUTION', attachments: [], ...told };
}

function settingsOf({ scan, asset }: Scene): string {
  return `kind: ${scan.kind}\ntarget: ${asset.address}\nlocation: ${scan.location ?? 'none'}\nintensity: normal`;
}

/** The first events of a scan. */
export function opening(scene: Scene): EventContent[] {
  const { scan, asset } = scene;
  const signedIn: Told = {
    level: 'INFO',
    title: 'Signed in as users A and B',
    description: 'Both see what they should.',
  };
  const reached = scan.manner === 'code' ? [] : [exchange(scene, callAt(scene), { status: 200 })];
  const settings = [snippet('settings.yml', 'yaml', settingsOf(scene))];
  const told: Told[] = [
    { level: 'INFO', title: 'Scan created', description: `For the profile ${scan.profile}.` },
    { level: 'DEBUG', title: 'Settings read', description: 'From the profile.', attachments: settings },
    { level: 'INFO', title: `Location ready: ${scan.location ?? 'none needed'}`, description: 'It answered at once.' },
    { level: 'INFO', title: `Target reached: ${asset.name}`, description: asset.address, attachments: reached },
    ...(['code', 'surface'].includes(scan.manner) ? [] : [signedIn]),
    { level: 'INFO', title: `${scan.assets.length} assets in scope`, description: scan.assets.join(', ') },
  ];
  return told.map((one) => content({ ...one, stage: 'CONFIGURATION' }));
}

/** How far a scan is. */
export function progress({ scan }: Scene, ratio: number): EventContent {
  const percent = Math.round(ratio * 100);
  const description = `${Math.round(ratio * scan.events * 7)} requests so far.`;
  return content({ level: 'INFO', title: `Progress: ${percent} %`, description });
}

/** The last events of a scan: none where it is still in progress. */
export function closing(scene: Scene): EventContent[] {
  switch (scene.scan.status) {
    case 'FINISHED':
      return finish(scene.scan);
    case 'FAILED':
      return failure(scene);
    case 'CANCELED':
      return [
        content({
          level: 'WARNING',
          stage: 'CONFIGURATION',
          title: 'Scan canceled',
          description: 'By Kenji Tanaka: the office needs the pages this afternoon.',
        }),
      ];
    default:
      return [];
  }
}

function finish({ key, events, minutes }: DemoScan): EventContent[] {
  const found = issues.filter(({ scans }) => scans.includes(key)).length;
  const fresh = issues.filter(({ scans }) => scans[0] === key).length;
  return [
    content({
      level: 'DEBUG',
      title: 'Figures of the scan',
      description: `${events * 7} requests in ${minutes} minutes.`,
    }),
    content({
      level: 'INFO',
      title: 'Scan finished',
      description: `${fresh} new issues, ${found - fresh} known ones found again.`,
    }),
  ];
}

function failure(scene: Scene): EventContent[] {
  const { scan } = scene;
  const lost =
    scan.manner === 'grpc'
      ? { title: `Location lost: ${scan.location}`, description: 'The relay did not come back within two minutes.' }
      : { title: 'Signed out, and the login does not work any more', description: 'User A is told: account locked.' };
  const attachments = [unanswered(scene, callAt(scene))];
  return [
    content({ level: 'ERROR', stage: 'CONFIGURATION', ...lost, attachments }),
    content({
      level: 'ERROR',
      title: 'Scan failed',
      description: 'Nothing more can be tested. Correct what is named above and start it again.',
    }),
  ];
}

/** The event of a scan that finds an issue, with its evidence. */
export function finding(scene: Scene, { name, severity, context, test, targets }: DemoIssue): EventContent {
  const serious = !['LOW', 'INFO'].includes(severity);
  const attachments = targets.slice(0, 1).flatMap(({ targetUid, codeFile, webPage }) => {
    if (codeFile) return [snippet(targetUid, codeFile.language.toLowerCase(), context)];
    const proof = exchange(scene, callAt(scene), { status: 200, query: '?proof=1' });
    return webPage ? [proof, screenshot(scene, name)] : [proof];
  });
  return content({
    level: serious ? 'WARNING' : 'INFO',
    stage: scene.scan.manner === 'agent' ? 'AGENT_ACTION' : 'EXECUTION',
    title: `Issue found: ${name}`,
    description: `${context} Found by the test ${test}.`,
    attachments,
  });
}
