import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@store-service/embedded-postgres';

export interface StorefrontProcess {
  origin: string;
  close(): Promise<void>;
}

const built = fileURLToPath(new URL('../../packages/storefront/build', import.meta.url));

/** A built shop front as a process of its own, as on a machine of its own, that asks the service at the address. */
export async function startStorefront(apiUrl: string, folder = built): Promise<StorefrontProcess> {
  const port = await freePort(null);
  const origin = `http://127.0.0.1:${port}`;
  const env = { HOST: '127.0.0.1', PORT: String(port), ORIGIN: origin, STORE_API_URL: apiUrl, BODY_SIZE_LIMIT: '12M' };
  const child = spawn(process.execPath, ['index.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Listening on')) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => reject(new Error(`The shop front ended with ${code}:\n${output}`)));
  });
  return {
    origin,
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL'); // it has nothing to save
      await ended;
    },
  };
}
