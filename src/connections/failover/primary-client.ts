import pg from 'pg';
import type { Host } from './host.js';
import type { Primary } from './primary.js';

const readOnlyTransaction = '25006';
/** What PostgreSQL says of itself when a connection begins, from version 14 on. */
const readOnlyReports = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** A server that does not take writes answered where the primary was. */
class ReadOnlyServer extends Error {
  readonly code = readOnlyTransaction;

  constructor({ name, port }: Host) {
    super(`${name}:${port} takes no writes`);
  }
}

/**
 * A class of clients that connect to the primary, wherever it is at that moment. A connection to a server that takes no
 * writes is refused, by what that reports of itself; one that gets to know it later, by a refused write, is given up.
 */
export function primaryClient(primary: Primary): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
    private place: Host | undefined;
    private isReadOnly = false;

    constructor(options?: string | pg.ClientConfig) {
      super(options);
      this.on('error', () => this.doubt());
      this.on('end', () => primary.leave(this));
      this.connection.on('parameterStatus', (report: { parameterName: string; parameterValue: string }) => {
        if (!readOnlyReports.has(report.parameterName) || primary.isPooled) return;
        if (report.parameterValue === 'on') this.isReadOnly = true;
      });
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        // Once the statement has its error.
        if (code === readOnlyTransaction) setImmediate(() => this.abandon());
      });
      const open = () => super.connect();
      const connect = (callback?: (error: Error | null, client?: pg.Client) => void): unknown => {
        const connected = this.begin(open);
        if (callback) {
          void connected.then(
            (client) => callback(null, client),
            (error: unknown) => callback(error as Error),
          );
        }
        return connected;
      };
      Object.assign(this, { connect });
    }

    /** Ends the connection at once; what is under way on it fails as where the server is lost. */
    abandon(): void {
      this.doubt();
      this.connection.stream.destroy();
    }

    private doubt(): void {
      if (this.place) primary.doubt(this.place);
    }

    private async begin(open: () => Promise<pg.Client>): Promise<pg.Client> {
      const host = await primary.host();
      this.place = host;
      Object.assign(this, { host: host.name, port: host.port });
      primary.join(this);
      try {
        await open();
        if (this.isReadOnly) throw new ReadOnlyServer(host);
        return this;
      } catch (error) {
        this.abandon();
        throw error;
      }
    }
  };
}
