import type { Caller } from '../caller.js';
import type { Client, Scene } from '../client.js';
import { isLost } from '../history.js';

const levels = ['INFO', 'WARNING', 'ERROR', 'DEBUG'] as const;
const stages = ['EXECUTION', 'AGENT_ACTION', 'CONFIGURATION'] as const;

/** Runs scans: begins one, appends its events, and finishes it or fails. Events have ids, so that appending again adds none. */
export class Scanner implements Client {
  readonly weight = 3;
  private scanId: string | undefined;

  constructor(
    readonly caller: Caller,
    private readonly scene: Scene,
  ) {}

  async act(): Promise<void> {
    if (this.scanId === undefined) return this.begin();
    await (this.caller.random.chance(0.75) ? this.append(this.scanId) : this.end(this.scanId));
  }

  private async begin(): Promise<void> {
    const json = {
      applicationId: this.scene.profileId,
      kind: 'FRONTEND_DAST',
      assetIds: this.scene.assetIds,
      status: 'RUNNING',
    };
    const answer = await this.caller.call('POST', '/api/v1/scans', { json });
    if (!isLost(answer) && answer.status === 201) this.scanId = (answer.body as { id: string }).id;
  }

  private async append(scanId: string): Promise<void> {
    const { random } = this.caller;
    const json = Array.from({ length: random.between(1, 6) }, () => ({
      id: random.uuid(),
      title: `Step ${random.between(1, 99)}`,
      description: 'A request was sent',
      level: random.pick(levels),
      stage: random.pick(stages),
    }));
    await this.caller.callSurely('POST', `/api/v1/scans/${scanId}/events`, { json });
  }

  private async end(scanId: string): Promise<void> {
    const json = this.caller.random.chance(0.8)
      ? { status: 'FINISHED' }
      : { status: 'FAILED', failureReason: 'The scanner ran out of memory' };
    const answer = await this.caller.callSurely('PATCH', `/api/v1/scans/${scanId}`, { json });
    if (answer) this.scanId = undefined;
  }
}
