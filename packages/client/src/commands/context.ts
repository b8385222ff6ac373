import { accessOf } from '../api/access.js';
import { ApiClient } from '../api/api-client.js';
import { complaintsTo } from '../output/complaints.js';
import { Output } from '../output/output.js';
import type { Surroundings } from '../surroundings.js';

/** The parts that commands work with. */
export interface Context {
  /** Opened on first use, so that a broken credentials file does not keep `store login` from repairing it. */
  readonly api: ApiClient;
  output: Output;
  /** Reports something to the user that is not a result. */
  notify: (message: string) => void;
  surroundings: Surroundings;
}

/** Gives a command its context, which is loaded when it runs. */
export type Open = () => Promise<Context>;

export function makeContext(surroundings: Surroundings): Context {
  const notify = complaintsTo(surroundings.stderr);
  let api: ApiClient | undefined;
  return {
    get api() {
      return (api ??= new ApiClient(accessOf(surroundings, notify), notify));
    },
    output: new Output(surroundings.stdout, surroundings.env),
    notify,
    surroundings,
  };
}
