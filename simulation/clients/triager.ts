import type { Caller } from '../caller.js';
import type { Client, Scene } from '../client.js';

const hourMs = 3_600_000;

/** Decides about issues: accepts them for a while, gives them a due date and somebody who mends them, resolves them. */
export class Triager implements Client {
  readonly weight = 2;

  constructor(
    private readonly scene: Scene,
    private readonly userId: string,
    private readonly headers: Record<string, string>,
  ) {}

  get caller(): Caller {
    return this.scene.triager.caller;
  }

  async act(): Promise<void> {
    const { random } = this.caller;
    const { headers } = this;
    const list = await this.scene.triager.call('GET', '/api/v1/issues?size=50', { headers });
    if (list?.status !== 200) return;
    const { data } = list.body as { data: { id: string }[] };
    if (data.length === 0) return;
    const path = `/api/v1/issues/${random.pick(data).id}`;
    const json = random.pick<() => object>([
      () => ({ status: 'IGNORED', acceptedUntil: this.in(1, 12), acceptedReason: 'Goes with the next release' }),
      () => ({ dueAt: this.in(1, 48) }),
      () => ({ assigneeId: random.pick([this.userId, null]) }),
      () => ({ status: random.pick(['OPEN', 'RESOLVED', 'MANUAL_REVIEW', 'FALSE_POSITIVE']), comment: 'Looked at it' }),
    ])();
    await this.scene.triager.surely('PATCH', path, { json, headers });
    if (random.chance(0.3)) await this.scene.triager.call('GET', path, { headers });
  }

  private in(from: number, to: number): string {
    return new Date(Date.now() + this.caller.random.between(from, to) * hourMs).toISOString();
  }
}
