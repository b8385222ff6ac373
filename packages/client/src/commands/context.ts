import type { StoreClient } from '@store-service/sdk';
import { type Access, accessOf, shopAccessOf } from '../api/access.js';
import { connect } from '../api/service.js';
import { complaintsTo } from '../output/complaints.js';
import { Output } from '../output/output.js';
import type { Surroundings } from '../surroundings.js';

/** The parts that commands work with. */
export interface Context {
  /** Opened on first use, so that a broken credentials file does not keep `store login` from repairing it. */
  readonly api: StoreClient;
  /** The same service, for the shop: called with a key of the shop. */
  readonly shop: StoreClient;
  readonly access: Access;
  output: Output;
  /** Reports something to the user that is not a result. */
  notify: (message: string) => void;
  surroundings: Surroundings;
}

/** Gives a command its context, which is loaded when it runs. */
export type Open = () => Promise<Context>;

export function makeContext(surroundings: Surroundings): Context {
  const notify = complaintsTo(surroundings.stderr);
  let access: Access | undefined;
  let api: StoreClient | undefined;
  let shop: StoreClient | undefined;
  return {
    get access() {
      return (access ??= accessOf(surroundings, notify));
    },
    get api() {
      return (api ??= connect(this.access, notify));
    },
    get shop() {
      return (shop ??= connect(shopAccessOf(surroundings, notify), notify));
    },
    output: new Output(surroundings.stdout, surroundings.env),
    notify,
    surroundings,
  };
}
