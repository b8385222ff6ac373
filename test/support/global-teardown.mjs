import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  const running = globalThis.testServer;
  if (!running) return;
  await running.pooler?.stop();
  await running.server.stop();
  if (running.dataDir) await rm(running.dataDir, { recursive: true, force: true });
}
