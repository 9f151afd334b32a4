import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inflateRawSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AgentProcess, clearAway, startAgent } from './agent-process.ts';
import { until } from './live-agent.ts';
import {
  afterRestart,
  endedJob,
  getJson,
  makeBackup,
  panelOn,
  type PanelOptions,
  postJson,
  seed,
  sendRestore,
  temporaryIn,
} from './panels.ts';

afterAll(clearAway);

const [password, token, signIn, passphrase, wrong] = [
  'Marker-Pa55word-9f2c',
  'Marker-T0ken-7d1e',
  'Marker-S1gnIn-3b8a',
  'Marker-Passphrase-5c6f',
  'Marker-Wr0ng-2e4d',
];
const markers: readonly string[] = [password, token, signIn, passphrase, wrong];

/** The markers in a text or in bytes. */
const markersIn = (text: string | Buffer): readonly string[] => markers.filter((marker) => text.includes(marker));

const paths = [
  '/',
  '/configure',
  '/more',
  '/install',
  '/history',
  '/logs',
  '/inspector',
  '/api/v1/config',
  '/api/v1/config/export',
  '/api/v1/config/revisions',
  '/api/v1/dev/machines',
  '/api/v1/diag',
  '/api/v1/history',
  '/api/v1/info',
  '/api/v1/install/status',
  '/api/v1/logs?format=json',
  '/api/v1/simulator/approvals',
  '/api/v1/status',
  '/api/v1/support',
];

/** The content of each entry of a zip file, as its local headers tell it. */
function unzipped(archive: Buffer): string {
  const texts: string[] = [];
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, bytes, local] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 20),
      archive.readUInt32LE(at + 42),
    ];
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(from, from + bytes);
    texts.push((method === 0 ? content : inflateRawSync(content)).toString('utf8'));
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return texts.join('\n');
}

describe('marker secrets and passphrases', () => {
  let options: PanelOptions;
  let agent: AgentProcess;
  const outputs: (() => string)[] = [];
  const answers: string[] = [];

  /** Keeps what was answered. */
  async function kept<T>(asked: Promise<T>): Promise<T> {
    const answer = await asked;
    answers.push(JSON.stringify(answer));
    return answer;
  }

  /** What has a marker of all that the panel shows and keeps; the durable document holds its own secrets. */
  async function leaks(): Promise<readonly string[]> {
    const shown = await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(agent.url + path, { headers: { accept: 'text/html' } });
        return [path, await response.text()] as const;
      }),
    );
    const stop = new AbortController();
    const viewer = await fetch(`${agent.url}/api/v1/dev/stream`, { signal: stop.signal });
    const frame = new TextDecoder().decode((await viewer.body?.getReader().read())?.value);
    stop.abort();
    expect(frame).toContain('event: records');
    const { data } = options;
    const files = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(data, join(entry.parentPath, entry.name)))
      .filter((name) => !/^state\.json(\.previous)?$/.test(name));
    return [
      ...shown,
      ['the inspector', frame] as const,
      ['what it printed', outputs.map((output) => output()).join('')] as const,
      ...files.map((name) => [name, readFileSync(join(data, name), 'utf8')] as const),
    ].flatMap(([name, text]) => markersIn(text).map((marker) => `${marker} in ${name}`));
  }

  beforeAll(async () => {
    options = { ...panelOn(1), args: ['--renderer', 'none', '--inspect'] };
    seed(options.data, {
      sections: {
        settings: { revision: 1, values: { log_level: 'trace' }, expose: {} },
        secrets: { ha_oauth: JSON.stringify({ version: 1, refreshToken: signIn, clientId: 'a', origin: 'b' }) },
      },
    });
    agent = await startAgent(options);
    outputs.push(agent.output);
    const first = { mqtt_broker: 'mqtt://127.0.0.1:1', mqtt_password: password };
    expect((await postJson(agent, 'config', first)).status).toBe(200);
  });

  it('are in no plain archive and no revision', async () => {
    const plain = await makeBackup(agent);
    expect(unzipped(plain)).toContain('sconce-backup');
    expect([markersIn(plain), markersIn(unzipped(plain))]).toEqual([[], []]);
    await postJson(agent, 'config', { friendly_name: 'Hall' });
    const revisions = await until('the revisions', () => {
      const name = readdirSync(options.data).find((one) => one === 'revisions.json');
      const text = name === undefined ? '' : readFileSync(join(options.data, name), 'utf8');
      return text.includes('Hall') && text;
    });
    expect(markersIn(revisions)).toEqual([]);
    const encrypted = await makeBackup(agent, passphrase);
    expect(markersIn(encrypted)).toEqual([]);
    expect(temporaryIn(options.data)).toEqual([]);
  });

  it('are in no preview, answer, page, log, nor in the folder after any end', async () => {
    const archive = await makeBackup(agent, passphrase);
    const bundle = await getJson(agent, 'config/export?include_secrets=1');
    expect(markersIn(JSON.stringify(bundle))).toEqual([password]);
    const broken = Buffer.concat([archive.subarray(0, -1), Buffer.from([0])]);
    await postJson(agent, 'config', { mqtt_broker: 'mqtt://127.0.0.1:2', mqtt_password: token });

    await kept(postJson(agent, 'config/import?dry_run=1', bundle));
    const invalid = { ...bundle, values: { mqtt_password: [password], nonsense: password, night_dim_percent: token } };
    await kept(postJson(agent, 'config/import?strict=1', invalid));
    await kept(postJson(agent, 'config/import', { ...bundle, kind: password }));
    await kept(postJson(agent, 'backup', { passphrase: `${passphrase} ` }));
    await kept(postJson(agent, 'backup', { passphrase, include_companion: wrong }));
    const refused = await kept(sendRestore(agent, archive, { passphrase: wrong }));
    expect([refused.status, refused.body['error']]).toEqual([422, 'wrong-passphrase-or-damaged']);
    await kept(sendRestore(agent, broken, { passphrase }));
    await kept(sendRestore(agent, archive));
    // It is sent as one byte, which is not UTF-8.
    await kept(sendRestore(agent, archive, { passphrase: `${passphrase}é` }));
    const preview = await kept(sendRestore(agent, archive, { passphrase, query: 'dry_run=1' }));
    expect(preview.body['changes']).toContainEqual({ key: 'mqtt_password', from: null, to: null });
    await until('the folder to be empty', () => temporaryIn(options.data).length === 0);
    expect(await leaks()).toEqual([]);

    // A person who is asked reads of them as little.
    const replaces = await kept(sendRestore(agent, archive, { passphrase, query: 'replaces=1' }));
    expect(replaces.body['error']).toBe('approval-required');
    await until('the question', async () => (await getJson(agent, 'simulator/approvals'))['shown']);
    expect(await leaks()).toEqual([]);

    await kept(postJson(agent, 'config/import', bundle));
    expect((await kept(sendRestore(agent, archive, { passphrase }))).status).toBe(202);
    agent = await afterRestart(agent, options);
    outputs.push(agent.output);
    await kept(endedJob(agent));
    expect(await leaks()).toEqual([]);
    expect(answers.flatMap(markersIn)).toEqual([]);
    expect(readFileSync(join(options.data, 'state.json'), 'utf8')).toContain(password);
    expect(outputs.map((output) => output().length > 300)).toEqual([true, true]);
  });

  it('are not in the folder of an agent that is killed over an archive, once it starts again', async () => {
    const archive = await makeBackup(agent, passphrase);
    const ended = Promise.allSettled([
      sendRestore(agent, archive, { passphrase, query: 'dry_run=1' }),
      makeBackup(agent, passphrase),
    ]);
    await until('a temporary file', () => temporaryIn(options.data).length > 0);
    await agent.kill('SIGKILL');
    await ended;
    agent = await startAgent({ ...options, port: agent.port });
    await until('the folder to be empty', () => temporaryIn(options.data).length === 0);
    expect(await leaks()).toEqual([]);
  });
});
