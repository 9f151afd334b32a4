import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type AgentProcess, ownFolder, type ProcessOptions, spawnAgent, startAgent } from './agent-process.ts';
import { until } from './live-agent.ts';

type Json = Readonly<Record<string, unknown>>;

/** How an agent is started on a machine of its own. */
export type PanelOptions = ProcessOptions & { readonly data: string; readonly env: Readonly<Record<string, string>> };

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

/** The root of what a machine says about itself: its id and one built-in card. */
function ownMachine(number: number): string {
  const root = ownFolder();
  const [card, device] = [join(root, 'sys/class/net/eth0'), join(root, 'sys/devices/platform/eth')];
  put(join(root, 'etc/machine-id'), `${String(number).padStart(32, '0')}\n`);
  put(join(card, 'address'), `02:00:00:00:00:${String(number).padStart(2, '0')}\n`);
  put(join(card, 'addr_assign_type'), '0\n');
  put(join(card, 'type'), '1\n');
  mkdirSync(device, { recursive: true });
  symlinkSync(device, join(card, 'device'));
  return root;
}

const simulated = readFileSync(
  fileURLToPath(new URL('../../profiles/bundled/simulated.yaml', import.meta.url)),
  'utf8',
);

/** What a panel has before its first start. */
export interface Seed {
  readonly sections?: Json;
  /** Ids in the lists of the entity filter. */
  readonly filter?: readonly string[];
  /** Ids of saved profiles. */
  readonly profiles?: readonly string[];
}

/** Writes a data folder as a stopped agent leaves it. */
export function seed(data: string, { sections = {}, filter = [], profiles = [] }: Seed): void {
  put(join(data, 'state.json'), JSON.stringify({ version: 1, sections }));
  const list = {
    version: 1,
    policy: { auto_static: true, auto_runtime: false },
    manual: { enabled: true, ids: filter },
    accounts: [],
  };
  if (filter.length > 0) put(join(data, 'entity-filter.json'), JSON.stringify(list));
  for (const id of profiles) {
    const yaml = simulated.replace(/^id: .*$/m, `id: ${id}`);
    put(join(data, 'profiles', id, `${createHash('sha256').update(yaml).digest('hex')}.yaml`), yaml);
  }
}

/** The options of a panel on the machine of that number. */
export const panelOn = (number: number, more: Partial<PanelOptions> = {}): PanelOptions => ({
  data: ownFolder(),
  // The browser would only cost time; the restart follows an answer at once.
  args: ['--renderer', 'none'],
  env: { SCONCE_MACHINE_ROOT: ownMachine(number), SCONCE_TRIAL_MS: '1500,9000,30' },
  ...more,
});

/** Starts what an agent asked for by status 75. */
export async function afterRestart(agent: AgentProcess, options: PanelOptions): Promise<AgentProcess> {
  const { code } = await agent.ended;
  if (code !== 75) throw new Error(`the agent ended with ${code} instead of a restart: ${agent.output().slice(-2000)}`);
  return startAgent({ ...options, port: agent.port });
}

/** As it, without waiting for an answer. */
export const spawnAgain = (agent: AgentProcess, options: PanelOptions): Promise<AgentProcess> =>
  spawnAgent({ ...options, port: agent.port });

type Running = Pick<AgentProcess, 'url'>;

/** Headers of a request that comes through a proxy, so that it is not one of the machine itself. */
export const fromAfar = { 'x-forwarded-for': '192.0.2.7' } as const;
type More = Readonly<Record<string, string>>;

export interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request, again while an agent that has just started is not ready for operations. */
const call = (url: string, init: RequestInit): Promise<Response> =>
  until('an agent that is ready', async () => {
    const response = await fetch(url, init);
    const isUnready = response.status === 409 && (await response.clone().text()).includes('not ready for this yet');
    return isUnready ? null : response;
  });

const answered = async (response: Response): Promise<Answered> => ({
  status: response.status,
  // Every answer is an object; tests compare its fields.
  body: (await response.json()) as Json,
});

export const getJson = async ({ url }: Running, path: string): Promise<Json> =>
  (await (await fetch(`${url}/api/v1/${path}`)).json()) as Json;

export const postJson = async ({ url }: Running, path: string, body: unknown, more: More = {}): Promise<Answered> =>
  answered(
    await call(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    }),
  );

/** Makes a backup; without a passphrase one that anyone can read. */
export async function makeBackup({ url }: Running, passphrase?: string): Promise<Buffer> {
  const response = await call(`${url}/api/v1/backup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(passphrase === undefined ? { allow_plaintext: true } : { passphrase }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`no backup: ${bytes.toString('utf8')}`);
  return bytes;
}

/** Sends an archive; `query` such as `dry_run=1`. */
export async function sendRestore(
  { url }: Running,
  archive: Buffer,
  {
    passphrase,
    query = '',
    more,
  }: { readonly passphrase?: string; readonly query?: string; readonly more?: More } = {},
): Promise<Answered> {
  return answered(
    await call(`${url}/api/v1/restore?${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        ...(passphrase !== undefined && { 'x-backup-passphrase': passphrase }),
        ...more,
      },
      body: new Uint8Array(archive),
    }),
  );
}

/** How the last operation ended, once none runs. */
export const endedJob = (agent: Running): Promise<Json> =>
  until('the end of the operation', async () => {
    const status = await getJson(agent, 'install/status');
    return status['running'] === false && status['result'] !== null && status['result'] !== undefined ? status : null;
  });

const jsonIn = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json;

/** The stored sections, of the document and of files. */
export function sectionsIn(data: string): Json {
  const apart = join(data, 'sections');
  const names = existsSync(apart) ? readdirSync(apart).filter((name) => name.endsWith('.json')) : [];
  const own = names.map((name) => [name.slice(0, -'.json'.length), jsonIn(join(apart, name))['value']] as const);
  return { ...(jsonIn(join(data, 'state.json'))['sections'] as Json), ...Object.fromEntries(own) };
}

/** The ids in the list of the entity filter. */
export const filterIn = (data: string): unknown =>
  (jsonIn(join(data, 'entity-filter.json'))['manual'] as Json | undefined)?.['ids'];

/** The ids of the saved profiles. */
export const profilesIn = (data: string): readonly string[] =>
  readdirSync(join(data, 'profiles'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

/** Names of the files in the temporary folder. */
export function temporaryIn(data: string): readonly string[] {
  const folder = join(data, 'tmp');
  return existsSync(folder) ? readdirSync(folder) : [];
}
