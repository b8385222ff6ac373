import { ApiClient } from '../api/api-client.js';
import { complain } from '../output/complaints.js';
import { Output } from '../output/output.js';

/** The parts that commands work with. */
export interface Context {
  api: ApiClient;
  output: Output;
  /** Tells the user something that is not a result. */
  notify: (message: string) => void;
}

export function makeContext(): Context {
  return { api: new ApiClient(process.env, complain), output: new Output(), notify: complain };
}
