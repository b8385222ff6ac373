import { Client } from 'pg';

/** The address of another database of a server. */
export const inDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

export async function newClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Works with a connection of its own. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await newClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
