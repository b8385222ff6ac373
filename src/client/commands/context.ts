import { ApiClient } from '../api/api-client.js';
import { complain } from '../output/complaints.js';
import { Output } from '../output/output.js';

/** What commands work with. */
export interface Context {
  api: ApiClient;
  output: Output;
  /** Tells the person something that is no result. */
  notify: (message: string) => void;
}

export function makeContext(): Context {
  return { api: new ApiClient(process.env, complain), output: new Output(), notify: complain };
}
