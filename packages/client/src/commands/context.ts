import type { StoreClient } from '@store-service/sdk';
import { type Access, accessOf, shopAccessOf } from '../api/access.js';
import { connect } from '../api/service.js';
import { complaintsTo } from '../output/complaints.js';
import { Output, type Shape } from '../output/output.js';
import type { Surroundings } from '../surroundings.js';

/** The parts that commands work with. */
export interface Context {
  /** Opened on first use, so that a broken credentials file does not keep `store login` from repairing it. */
  readonly api: StoreClient;
  /** The same service, for the shop: called with a key of the shop. */
  readonly shop: StoreClient;
  readonly access: Access;
  /** The context that --context names. */
  readonly contextName: string | undefined;
  output: Output;
  /** Reports something to the user that is not a result. */
  notify: (message: string) => void;
  surroundings: Surroundings;
}

/** Gives a command its context, which is loaded when it runs. */
export type Open = () => Promise<Context>;

/** What options of every command say. */
export interface Choices {
  /** The context whose key is used: --context. */
  context?: string;
  /** What becomes of JSON before it is printed: --json and --jq. */
  shape?: Shape;
  /** Whether tables shorten ids: --short. */
  isShort?: boolean;
}

export function makeContext(surroundings: Surroundings, { context, shape, isShort }: Choices = {}): Context {
  const notify = complaintsTo(surroundings.stderr);
  let access: Access | undefined;
  let api: StoreClient | undefined;
  let shop: StoreClient | undefined;
  return {
    get access() {
      return (access ??= accessOf(surroundings, notify, context));
    },
    get api() {
      return (api ??= connect(this.access, notify, surroundings.env));
    },
    get shop() {
      return (shop ??= connect(shopAccessOf(surroundings, notify, context), notify, surroundings.env));
    },
    output: new Output(surroundings.stdout, surroundings.env, shape, isShort),
    contextName: context,
    notify,
    surroundings,
  };
}
