import { until } from '../kit/until.ts';
import { HomeClient, type FlowStep } from './client.ts';

/** The broker as Home Assistant is told of it. */
export interface BrokerEntry {
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/** The owner, who administers Home Assistant. */
export const owner = { name: 'Owner', username: 'owner', password: 'owner-password', language: 'en' };

async function send(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Waits until Home Assistant answers HTTP; the first start on a machine may still fetch packages. */
export const answering = (url: string, alive: () => boolean): Promise<true> =>
  until(
    'Home Assistant answers',
    async () => {
      if (!alive()) return 'ended' as const;
      const answer = await fetch(`${url}/api/onboarding`);
      return answer.status === 200 || answer.status === 404;
    },
    180_000,
  ).then((seen) => {
    if (seen === 'ended') throw new Error('Home Assistant ended while it started');
    return true;
  });

/** Makes the owner and returns a long-lived access token. */
export async function makeOwner(url: string): Promise<string> {
  const clientId = `${url}/`;
  const made = await send(`${url}/api/onboarding/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, ...owner }),
  });
  const token = await send(`${url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: String(made['auth_code']),
      client_id: clientId,
    }),
  });
  const client = await HomeClient.open(url, String(token['access_token']));
  try {
    return await client.call<string>('auth/long_lived_access_token', { client_name: 'tests', lifespan: 3650 });
  } finally {
    client.close();
  }
}

function answersTo(step: FlowStep, broker: BrokerEntry): object {
  const options = step.menu_options;
  if (step.type === 'menu' && options) return { next_step_id: options.includes('broker') ? 'broker' : options[0] };
  const known: Readonly<Record<string, unknown>> = { broker: '127.0.0.1', ...broker };
  return Object.fromEntries(
    (step.data_schema ?? []).flatMap((field) => {
      if (Object.hasOwn(known, field.name)) return [[field.name, known[field.name]]];
      // The folded section of the form, as it is shown unticked.
      return field.type === 'expandable' && field.required === true
        ? [[field.name, { set_client_cert: false, set_ca_cert: 'off' }]]
        : [];
    }),
  );
}

/** Adds the MQTT integration by its configuration flow, as a person does in the browser. */
export async function addBroker(client: HomeClient, broker: BrokerEntry): Promise<void> {
  const path = '/api/config/config_entries/flow';
  let step = await client.post<FlowStep>(path, { handler: 'mqtt' });
  for (let turn = 0; turn < 4 && step.type !== 'create_entry'; turn += 1) {
    step = await client.post<FlowStep>(`${path}/${step.flow_id}`, answersTo(step, broker));
    if (step.errors && Object.keys(step.errors).length > 0)
      throw new Error(`MQTT entry refused: ${JSON.stringify(step.errors)}`);
  }
  if (step.type !== 'create_entry') throw new Error(`MQTT entry: unexpected step ${JSON.stringify(step)}`);
}

/** A member of the household without administrator rights. */
export const resident = { name: 'Resident', username: 'resident', password: 'resident-password' } as const;

/** An access token of a user, for half an hour, by the login flow of Home Assistant's own page. */
export async function tokenOf(
  url: string,
  user: { readonly username: string; readonly password: string },
): Promise<string> {
  const clientId = `${url}/`;
  const post = (path: string, body: string | URLSearchParams) => send(url + path, { method: 'POST', body });
  const begun = { client_id: clientId, redirect_uri: clientId, handler: ['homeassistant', null] };
  const flow = await post('/auth/login_flow', JSON.stringify(begun));
  const { username, password } = user;
  const step = await post(
    `/auth/login_flow/${String(flow['flow_id'])}`,
    JSON.stringify({ client_id: clientId, username, password }),
  );
  const code = String(step['result']);
  const grant = { grant_type: 'authorization_code', code, client_id: clientId };
  return String((await post('/auth/token', new URLSearchParams(grant)))['access_token']);
}

/** Adds a user without administrator rights, as the owner does on the page of people. */
export async function addResident(client: HomeClient): Promise<void> {
  const { user } = await client.call<{ readonly user: { readonly id: string } }>('config/auth/create', {
    name: resident.name,
    group_ids: ['system-users'],
  });
  await client.call('config/auth_provider/homeassistant/create', {
    user_id: user.id,
    username: resident.username,
    password: resident.password,
  });
}

/** Waits until everything is loaded, with `withEntry` the MQTT entry too. */
export async function settled(client: HomeClient, withEntry = true): Promise<void> {
  await until(
    'Home Assistant is running',
    async () => {
      const { state } = await client.call<{ readonly state: string }>('get_config');
      const entries = await client.call<readonly { readonly state: string }[]>('config_entries/get', {
        domain: 'mqtt',
      });
      return (
        state === 'RUNNING' && (!withEntry || entries.length > 0) && entries.every((entry) => entry.state === 'loaded')
      );
    },
    120_000,
  );
}
