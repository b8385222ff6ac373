import { startEmbeddedServer } from '../../packages/embedded-postgres/src/index.js';
// A copy of the service, as far as its PostgreSQL server is concerned. Takes a data folder and settings as JSON, reports
// to the parent what it got, and stops on a message or when the parent exits.

const [dataDir = '', settings = '{}'] = process.argv.slice(2);
const parsed: unknown = JSON.parse(settings);
const pairs = Object.entries(parsed !== null && typeof parsed === 'object' ? parsed : {});

function report(message: object): void {
  process.send?.(message);
}

try {
  const server = await startEmbeddedServer({
    dataDir,
    settings: Object.fromEntries(pairs.map(([name, value]) => [name, String(value)])),
    log: (line) => report({ log: line }),
  });
  const stop = (): void => {
    void server.stop().then(() => process.exit(0));
  };
  process.on('message', stop);
  process.on('disconnect', stop);
  report({ ready: { url: server.url, adopted: server.adopted, firstStart: server.firstStart } });
} catch (error) {
  report({ failed: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
