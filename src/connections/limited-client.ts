import pg from 'pg';
import { type ServerSettings, settingsSql } from './limited-client.statements.js';

/** The part of a connection that queries write on. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(statement: { text: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
}

type Callback = (error: Error | null, result?: unknown) => void;

/** What `pg.Query` is, beyond its published types. */
declare class WireQuery {
  constructor(config: unknown, values: unknown, callback: unknown);
  text: string | undefined;
  name: string | undefined;
  queryMode: string | undefined;
  callback: Callback | undefined;
  submit(connection: Wire): Error | null;
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}

interface Session {
  /** Of the transaction: none, under way, failed. */
  status(): 'I' | 'T' | 'E' | null;
  /** Whether the transaction under way has its settings. */
  isSet: boolean;
}

const ofTransactions = /^\s*(begin|start|commit|end|rollback|abort|set)\b/i;

/** A query that brings its transaction's settings along in the same packet, and shows nothing of their answer. */
class LimitedQuery extends (pg.Query as unknown as typeof WireQuery) {
  private precedes = false;
  private hiddenName: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly sql: string,
    request: [config: unknown, values: unknown, callback: unknown],
  ) {
    super(...request);
  }

  override submit(connection: Wire): Error | null {
    const status = this.session.status();
    if (status !== 'T') this.session.isSet = false;
    this.precedes = status !== 'E' && !this.session.isSet && !ofTransactions.test(this.text ?? '');
    if (this.precedes) this.queryMode = 'extended';
    if (status === 'T' && this.precedes) this.session.isSet = true;
    return super.submit(connection);
  }

  override prepare(connection: Wire): void {
    if (this.precedes) {
      connection.parse({ text: this.sql });
      connection.bind({});
      connection.execute({});
    }
    super.prepare(connection);
    // The driver takes the first statement that was parsed for the one of this name.
    if (this.precedes) [this.hiddenName, this.name] = [this.name, undefined];
  }

  override handleDataRow(message: unknown): void {
    if (!this.precedes) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (!this.precedes) return super.handleCommandComplete(message, connection);
    this.precedes = false;
    this.name = this.hiddenName;
  }
}

function isSubmittable(config: unknown): boolean {
  return typeof (config as { submit?: unknown } | null)?.submit === 'function';
}

/**
 * A class of clients that give each transaction, that of a single statement too, these settings: for a pooler, which
 * takes no such startup parameters and gives each transaction another session. The settings travel in the packet of the
 * first statement, so that they cost no round trip, and end with the transaction.
 */
export function limitedClient(settings: ServerSettings, Base: typeof pg.Client): typeof pg.Client {
  const sql = settingsSql(settings);
  return class LimitedClient extends Base {
    constructor(options?: string | pg.ClientConfig) {
      super(options);
      const send = (...request: unknown[]): unknown =>
        (super.query as (...request: unknown[]) => unknown).apply(this, request);
      const session = { isSet: false, status: () => this.getTransactionStatus() };
      const query = (config: unknown, values?: unknown, callback?: unknown): unknown => {
        if (isSubmittable(config)) return send(config, values, callback);
        const limited = new LimitedQuery(session, sql, [config, values, callback]);
        if (limited.callback) return void send(limited);
        return new Promise((resolve, reject) => {
          limited.callback = (error, result) => (error ? reject(error) : resolve(result));
          send(limited);
        });
      };
      Object.assign(this, { query });
    }
  };
}
