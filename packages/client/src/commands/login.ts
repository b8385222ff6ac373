import type { ApiKeyRole, LoginResponse, Organization, StoreClient } from '@store-service/sdk';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { typed } from '../api/access.js';
import { contextInUse } from '../api/contexts.js';
import { keepCredentials } from '../api/credentials-file.js';
import { connect } from '../api/service.js';
import { readKey, serviceAddress, usualAddress } from '../api/service-address.js';
import { exitCodes, Failure } from '../failure.js';
import type { Context } from './context.js';
import { firstLine, Prompt } from './prompt.js';

export interface LoginChoices {
  role: ApiKeyRole;
  /** Whether to make a key after a sign-in with the provider of OpenID Connect. */
  provider?: true;
  /** The context to keep the key for. */
  name?: string;
}

async function addressOf({ surroundings }: Context, prompt: Prompt, given: string | undefined): Promise<string> {
  const named = given ?? surroundings.env['STORE_API_URL'];
  if (named) return serviceAddress(named.trim(), given === undefined ? 'STORE_API_URL' : 'The address');
  const answer = prompt.isPossible ? await prompt.line(`Address of the service [${usualAddress}]: `) : '';
  return serviceAddress(answer || usualAddress, 'The address');
}

/** A client that acts for a user, signed in by password and, if they have it, the second factor. */
async function signedIn({ notify, surroundings }: Context, prompt: Prompt, address: string): Promise<StoreClient> {
  const api = connect({ address, key: null, keyFrom: typed }, notify, surroundings.env);
  const username = await prompt.line('Username: ');
  const password = await prompt.secret('Password: ');
  const { data: login } = await api.auth.login({ body: { username, password } });
  await giveCode(api, prompt, login);
  return api;
}

/** Takes the second step of a login, if there is one. */
async function giveCode(api: StoreClient, prompt: Prompt, { temp_token }: LoginResponse): Promise<void> {
  if (!temp_token) return;
  const totp_code = await prompt.secret('Code of the authenticator app, or a recovery code: ');
  await api.auth.loginWithCode({ body: { temp_token, totp_code } });
}

/** The same, signed in at the provider in a browser of any device (RFC 8628). */
async function signedInAtProvider(
  { notify, surroundings }: Context,
  prompt: Prompt,
  address: string,
): Promise<StoreClient> {
  const api = connect({ address, key: null, keyFrom: typed }, notify, surroundings.env);
  const { data: device } = await api.oidc.startDevice();
  const { login_token, user_code, verification_uri, verification_uri_complete } = device;
  notify(`Open ${verification_uri_complete ?? verification_uri} on any device, and confirm the code ${user_code}`);
  for (let seconds = device.interval; ;) {
    await sleep(seconds * 1_000);
    try {
      const { data: login } = await api.oidc.finishDevice({ body: { login_token } });
      await giveCode(api, prompt, login);
      return api;
    } catch (error) {
      const code = error instanceof Failure ? error.refusal?.code : undefined;
      if (code === 'slow_down') seconds += 5;
      else if (code !== 'authorization_pending') throw error;
    }
  }
}

async function chosenOrganization(
  { organizations }: StoreClient,
  prompt: Prompt,
  notify: (message: string) => void,
): Promise<Organization> {
  const { data } = (await organizations.list({ query: { size: 100 } })).data;
  const [only] = data;
  if (!only) throw new Failure('You belong to no organization yet: make one (POST /organizations), or be invited');
  if (data.length === 1) return only;
  notify(data.map(({ name, role }, index) => `\n  ${index + 1}  ${name} (${role})`).join(''));
  const number = Number(await prompt.line(`Which organization, 1 to ${data.length}? `));
  const chosen = data[number - 1];
  if (!chosen) throw new Failure('There is no such organization in the list', exitCodes.usage);
  return chosen;
}

async function madeKey(
  context: Context,
  prompt: Prompt,
  address: string,
  { role, provider }: LoginChoices,
): Promise<string> {
  const api = await (provider ? signedInAtProvider(context, prompt, address) : signedIn(context, prompt, address));
  const { id, name, role: own } = await chosenOrganization(api, prompt, context.notify);
  if (own !== 'admin') {
    throw new Failure(
      `Only admins of ${name} make API keys: ask one for a key, and log in with it`,
      exitCodes.notAllowed,
    );
  }
  const body = { name: `store on ${hostname()}`.slice(0, 100), role };
  return (await api.apiKeys.create({ path: { organizationId: id }, body })).data.key;
}

/** The key that is given, or one that is made after a login by password. */
async function givenKey(context: Context, prompt: Prompt, address: string, choices: LoginChoices): Promise<string> {
  const { surroundings } = context;
  const answer = prompt.isPossible
    ? await prompt.secret('API key (nothing, to make one with your username and password): ')
    : await firstLine(surroundings);
  if (!answer && !prompt.isPossible) throw new Failure('Standard input holds no API key', exitCodes.usage);
  return answer ? readKey(answer, 'The answer') : madeKey(context, prompt, address, choices);
}

/** `login`: keeps a working key, given or made after a login. */
export async function logIn(context: Context, given: string | undefined, choices: LoginChoices): Promise<void> {
  const { surroundings, notify } = context;
  const name = contextInUse(surroundings, choices.name ?? context.contextName);
  const prompt = new Prompt(surroundings);
  const address = await addressOf(context, prompt, given);
  const key = choices.provider
    ? await madeKey(context, prompt, address, choices)
    : await givenKey(context, prompt, address, choices);
  const { data: organization } = await connect(
    { address, key, keyFrom: typed },
    notify,
    surroundings.env,
  ).organizations.current();
  const file = keepCredentials(surroundings, { address, key }, name);
  notify(`You are ${organization.role} of ${organization.name} at ${address}. The key is kept in ${file}`);
  if (name !== contextInUse(surroundings)) {
    notify(`Commands use it by --context ${name}, or all of them from now on: store contexts use ${name}`);
  }
  if (surroundings.env['STORE_API_KEY']) notify('STORE_API_KEY is set, and wins over the key that is kept');
}
