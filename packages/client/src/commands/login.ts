import { hostname } from 'node:os';
import type { ApiKeyCreated } from '../../../../src/scanning/organizations/api-keys.dto.js';
import type { LoginResponse, Token } from '../../../../src/store/auth/auth.dto.js';
import { accessByKey, typed } from '../api/access.js';
import { ApiClient } from '../api/api-client.js';
import { keepCredentials } from '../api/credentials-file.js';
import { readKey, serviceAddress, usualAddress } from '../api/service-address.js';
import { exitCodes, Failure } from '../failure.js';
import type { Context } from './context.js';
import { currentOrganization, type Organization } from './organization.js';
import { firstLine, Prompt } from './prompt.js';

export interface LoginChoices {
  role: string;
}

async function addressOf({ surroundings }: Context, prompt: Prompt, given: string | undefined): Promise<string> {
  const named = given ?? surroundings.env['STORE_API_URL'];
  if (named) return serviceAddress(named.trim(), given === undefined ? 'STORE_API_URL' : 'The address');
  const answer = prompt.isPossible ? await prompt.line(`Address of the service [${usualAddress}]: `) : '';
  return serviceAddress(answer || usualAddress, 'The address');
}

/** A client that acts for a user, signed in by password and, if they have it, the second factor. */
async function signedIn({ notify }: Context, prompt: Prompt, address: string): Promise<ApiClient> {
  const stranger = new ApiClient({ address, headers: {}, keyFrom: typed }, notify);
  const username = await prompt.line('Username: ');
  const password = await prompt.secret('Password: ');
  const login = await stranger.send<LoginResponse>('POST', 'auth/login', { username, password });
  let token = login.access_token;
  if (login.requires_totp) {
    const totp_code = await prompt.secret('Code of the authenticator app, or a recovery code: ');
    const json = { temp_token: login.temp_token, totp_code };
    token = (await stranger.send<Token>('POST', 'auth/login/totp', json)).access_token;
  }
  return new ApiClient({ address, headers: { authorization: `Bearer ${token}` }, keyFrom: typed }, notify);
}

async function chosenOrganization(api: ApiClient, prompt: Prompt, notify: (message: string) => void) {
  const { data } = await api.get<{ data: Organization[] }>('organizations', { size: 100 });
  const [only] = data;
  if (!only) throw new Failure('You belong to no organization yet: make one (POST /organizations), or be invited');
  if (data.length === 1) return only;
  notify(data.map(({ name, role }, index) => `\n  ${index + 1}  ${name} (${role})`).join(''));
  const number = Number(await prompt.line(`Which organization, 1 to ${data.length}? `));
  const chosen = data[number - 1];
  if (!chosen) throw new Failure('There is no such organization in the list', exitCodes.usage);
  return chosen;
}

async function madeKey(context: Context, prompt: Prompt, address: string, role: string): Promise<string> {
  const api = await signedIn(context, prompt, address);
  const { id, name, role: own } = await chosenOrganization(api, prompt, context.notify);
  if (own !== 'admin') {
    throw new Failure(
      `Only admins of ${name} make API keys: ask one for a key, and log in with it`,
      exitCodes.notAllowed,
    );
  }
  const json = { name: `store on ${hostname()}`.slice(0, 100), role };
  return (await api.send<ApiKeyCreated>('POST', `organizations/${id}/api-keys`, json)).key;
}

/** `login`: keeps a working key, given or made after a login. */
export async function logIn(context: Context, given: string | undefined, { role }: LoginChoices): Promise<void> {
  const { surroundings, notify } = context;
  const prompt = new Prompt(surroundings);
  const address = await addressOf(context, prompt, given);
  const answer = prompt.isPossible
    ? await prompt.secret('API key (nothing, to make one with your username and password): ')
    : await firstLine(surroundings);
  if (!answer && !prompt.isPossible) throw new Failure('Standard input holds no API key', exitCodes.usage);
  const key = answer ? readKey(answer, 'The answer') : await madeKey(context, prompt, address, role);
  const organization = await currentOrganization(new ApiClient(accessByKey(address, key, typed), notify));
  const file = keepCredentials(surroundings, { address, key });
  notify(`You are ${organization.role} of ${organization.name} at ${address}. The key is kept in ${file}`);
  if (surroundings.env['STORE_API_KEY']) notify('STORE_API_KEY is set, and wins over the key that is kept');
}
