import { issues } from '../issues.js';
import type { DemoScan } from '../scans.js';
import { callAt, exchange, unanswered } from './calls.js';
import { type Happening, screenshot, type Scene, snippet } from './demo-event.js';

type Told = Omit<Happening, 'attachments'> & Partial<Pick<Happening, 'attachments'>>;

function happening(told: Told): Happening {
  return { attachments: [], ...told };
}

function settingsOf({ scan, asset }: Scene): string {
  return `kind: ${scan.kind}\ntarget: ${asset.address}\nlocation: ${scan.location ?? 'none'}\nintensity: normal`;
}

/** What a scan begins with. */
export function opening(scene: Scene): Happening[] {
  const { scan, asset } = scene;
  const stage = 'CONFIGURATION';
  const signsIn = !['code', 'surface'].includes(scan.manner);
  const reached = scan.manner === 'code' ? [] : [exchange(scene, callAt(scene), { status: 200 })];
  return [
    { level: 'INFO', title: 'Scan created', description: `For the profile ${scan.profile}.` },
    { level: 'DEBUG', title: 'Settings read', description: 'From the profile.', attachments: [snippetOf(scene)] },
    { level: 'INFO', title: `Location ready: ${scan.location ?? 'none needed'}`, description: 'It answered at once.' },
    { level: 'INFO', title: `Target reached: ${asset.name}`, description: asset.address, attachments: reached },
    ...(signsIn
      ? ([{ level: 'INFO', title: 'Signed in as users A and B', description: 'Both see what they should.' }] as const)
      : []),
    { level: 'INFO', title: `${scan.assets.length} assets in scope`, description: scan.assets.join(', ') },
  ].map((told) => happening({ ...told, stage } as Told));
}

function snippetOf(scene: Scene) {
  return snippet('settings.yml', 'yaml', settingsOf(scene));
}

/** How far a scan is. */
export function progress({ scan }: Scene, ratio: number): Happening {
  const percent = Math.round(ratio * 100);
  const description = `${Math.round(ratio * scan.events * 7)} requests so far.`;
  return happening({ level: 'INFO', stage: 'EXECUTION', title: `Progress: ${percent} %`, description });
}

function newIssues(scan: DemoScan): number {
  return issues.filter(({ scans }) => scans[0] === scan.key).length;
}

function failure(scene: Scene): Happening[] {
  const { scan } = scene;
  const lost =
    scan.manner === 'grpc'
      ? { title: `Location lost: ${scan.location}`, description: 'The relay did not come back within two minutes.' }
      : { title: 'Signed out, and the login does not work any more', description: 'User A is told: account locked.' };
  const attachments = [unanswered(scene, callAt(scene))];
  return [
    happening({ level: 'ERROR', stage: 'CONFIGURATION', ...lost, attachments }),
    happening({
      level: 'ERROR',
      stage: 'EXECUTION',
      title: 'Scan failed',
      description: 'Nothing more can be tested. Correct what is named above and start it again.',
    }),
  ];
}

/** What a scan ends with; nothing where it goes on. */
export function closing(scene: Scene): Happening[] {
  const { scan } = scene;
  switch (scan.status) {
    case 'FINISHED':
      return [
        happening({
          level: 'DEBUG',
          stage: 'EXECUTION',
          title: 'Figures of the scan',
          description: `${scan.events * 7} requests in ${scan.minutes} minutes.`,
        }),
        happening({
          level: 'INFO',
          stage: 'EXECUTION',
          title: 'Scan finished',
          description: `${newIssues(scan)} new issues, ${found(scan) - newIssues(scan)} known ones found again.`,
        }),
      ];
    case 'FAILED':
      return failure(scene);
    case 'CANCELED':
      return [
        happening({
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

function found(scan: DemoScan): number {
  return issues.filter(({ scans }) => scans.includes(scan.key)).length;
}

/** What a scan tells when it finds an issue: what was looked at goes with it. */
export function finding(scene: Scene, { name, severity, context, test, targets }: (typeof issues)[number]): Happening {
  const serious = !['LOW', 'INFO'].includes(severity);
  const agent = scene.scan.manner === 'agent';
  const attachments = targets.slice(0, 1).flatMap(({ kind, fields, uid }) => {
    if (kind === 'codeFile') return [snippet(uid, String(fields['language']).toLowerCase(), context)];
    const proof = exchange(scene, callAt(scene), { status: 200, query: '?proof=1' });
    return kind === 'webPage' ? [proof, screenshot(scene, name)] : [proof];
  });
  return {
    level: serious ? 'WARNING' : 'INFO',
    stage: agent ? 'AGENT_ACTION' : 'EXECUTION',
    title: `Issue found: ${name}`,
    description: `${context} Found by the test ${test}.`,
    attachments,
  };
}
