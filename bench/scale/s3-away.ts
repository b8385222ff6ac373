import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.js';
import { PictureBucket } from './picture-bucket.js';
import { settleMs, underLoad } from './shop-cluster.js';

const phaseMs = 10_000;

/** The bucket of two nodes responds by 503, then slowly, then not at all, for ten seconds each. */
export async function s3Away(arena: Arena): Promise<string[]> {
  const bucket = await PictureBucket.open(join(arena.folder, 'bucket'));
  try {
    const settings = () => ({ STORAGE_URL: bucket.url });
    return await underLoad(arena, { nodes: 2, settings, pictures: true }, async () => {
      for (const mood of ['unavailable', 'slow'] as const) {
        bucket.mood = mood;
        await sleep(phaseMs);
        bucket.mood = 'well';
        await sleep(settleMs);
      }
      await bucket.leave();
      await sleep(phaseMs);
      await bucket.comeBack();
      await sleep(settleMs);
    });
  } finally {
    await bucket.close();
  }
}
