import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AgentProcess, bundle as program, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { until } from './live-agent.ts';
import {
  afterRestart,
  endedJob,
  filterIn,
  getJson,
  makeBackup,
  panelOn,
  type PanelOptions,
  postJson,
  profilesIn,
  sectionsIn,
  seed,
  sendRestore,
  temporaryIn,
} from './panels.ts';

type Json = Readonly<Record<string, unknown>>;

afterAll(clearAway);

const run = promisify(execFile);
const passphrase = 'correct horse battery';

/** What a key, section or part does on its way; a reason is that of the list of what is not taken. */
type Crosses =
  | 'yes'
  | 'no'
  | 'identity-of-another-panel'
  | 'device-of-another-panel'
  | 'not-portable'
  | 'secret'
  | 'hidden'
  | 'unknown';
type Row = readonly [name: string, ...Crosses[]];

const [device, identity] = ['device-of-another-panel', 'identity-of-another-panel'] as const;

/** A bundle with credentials: imported where it is from, and on another machine; in the modes `restore` and `fleet`. */
const bundles: readonly Row[] = [
  // key                   home: restore, fleet        elsewhere: restore, fleet
  ['night_dim_percent', 'yes', 'yes', 'yes', 'yes'],
  ['mqtt_broker', 'yes', 'yes', 'yes', 'yes'],
  ['ha_url', 'yes', 'yes', 'yes', 'yes'],
  ['ha_expose_diag_cpu', 'yes', 'yes', 'yes', 'yes'],
  ['dashboard_zoom', 'yes', 'not-portable', device, 'not-portable'],
  ['mqtt_user', 'yes', 'not-portable', device, 'not-portable'],
  ['friendly_name', 'yes', 'not-portable', identity, 'not-portable'],
  ['panel_id', 'yes', 'not-portable', identity, 'not-portable'],
  ['mqtt_password', 'yes', 'secret', 'secret', 'secret'],
  ['ha_oauth', 'hidden', 'hidden', 'hidden', 'hidden'],
  ['camera_consent', 'unknown', 'unknown', 'unknown', 'unknown'],
];

/** An encrypted backup: restored where it is from, on another machine, and by one that takes the place. */
const backups: readonly Row[] = [
  // key or section        home   elsewhere  replaces
  ['night_dim_percent', 'yes', 'yes', 'yes'],
  ['mqtt_broker', 'yes', 'yes', 'yes'],
  ['ha_url', 'yes', 'yes', 'yes'],
  ['ha_expose_diag_cpu', 'yes', 'yes', 'yes'],
  ['dashboard_zoom', 'yes', device, device],
  ['mqtt_user', 'yes', device, 'yes'],
  ['friendly_name', 'yes', identity, 'yes'],
  ['panel_id', 'yes', identity, 'yes'],
  ['mqtt_password', 'yes', 'secret', 'yes'],
  ['ha_oauth', 'yes', 'no', 'yes'],
  ['section setup', 'yes', 'no', 'no'],
  ['section auto-sleep-sources', 'yes', 'no', 'no'],
  ['section announced', 'yes', 'no', 'yes'],
  ['section identity', 'no', 'no', 'no'],
  ['section auto-sleep', 'no', 'no', 'no'],
  ['filter', 'yes', 'yes', 'yes'],
  ['profile', 'yes', 'yes', 'yes'],
];

interface Panel {
  readonly name: string;
  readonly options: PanelOptions;
  readonly settings: Json;
  agent: AgentProcess;
}

const settingsOf = (name: string, number: number): Json => ({
  night_dim_percent: 20 + number,
  mqtt_broker: `mqtt://127.0.0.1:${number}`,
  mqtt_user: `${name}-user`,
  mqtt_password: `${name}-password`,
  ha_url: `http://127.0.0.1:${number}`,
  dashboard_zoom: 100 + number,
  friendly_name: name,
  panel_id: name,
  ha_expose_diag_cpu: name === 'hall',
});

const signInOf = (name: string, number: number): Json => ({
  ha_oauth: JSON.stringify({
    version: 1,
    refreshToken: `${name}-sign-in`,
    clientId: `http://${name}.local/`,
    origin: `http://127.0.0.1:${number}`,
  }),
  recipients: {
    ha_oauth: {
      id: name,
      recipient: { scheme: 'http', host: '127.0.0.1', port: number, name: null },
      by: 'save',
      at: 1,
    },
  },
});

const announcedOf = (name: string): Json => ({
  version: 1,
  devices: [
    { panelId: name, prefix: 'homeassistant', entries: [{ key: 'diag_cpu', platform: 'sensor', standing: 'here' }] },
  ],
});

/** A used panel that is signed in, on a machine of its own or on the given one. */
async function startUsed(name: string, number: number, more: Partial<PanelOptions> = {}): Promise<Panel> {
  const options = panelOn(number, more);
  const settings = settingsOf(name, number);
  seed(options.data, {
    sections: {
      settings: { revision: 1, values: { ha_url: settings['ha_url'] }, expose: {} },
      secrets: signInOf(name, number),
      setup: { version: 1, answers: { renderer: 'later' }, reached_at: number },
      'auto-sleep-sources': { version: 1, excluded: [`${name}_pir`] },
      announced: announcedOf(name),
      'auto-sleep': { version: 1, place: { latitude: number, longitude: number, timeZone: 'Europe/Berlin' } },
    },
    filter: [`light.${name}`],
    profiles: [`${name}-panel`],
  });
  const agent = await startAgent(options);
  expect((await postJson(agent, 'config', settings)).status).toBe(200);
  return { name, options, settings, agent };
}

/** What a panel has of each row. */
function held({ options: { data } }: Panel): (row: string) => string {
  const sections = sectionsIn(data);
  const { values, expose } = sections['settings'] as { readonly values: Json; readonly expose: Json };
  const secrets = sections['secrets'] as Json;
  return (row) => {
    if (row.startsWith('section ')) return JSON.stringify(sections[row.slice('section '.length)] ?? null);
    if (row === 'filter') return JSON.stringify(filterIn(data));
    if (row === 'profile') return profilesIn(data).join();
    const value = values[row] ?? secrets[row] ?? expose[row.replace('ha_expose_', '')] ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}

/** Compares each row with what the panel had before and what the other one has. */
function expectRows(
  rows: readonly Row[],
  column: number,
  { before, after, sent }: Readonly<Record<'before' | 'after' | 'sent', (row: string) => string>>,
): void {
  const found = rows.map(([row]) => {
    const [now, theirs] = [after(row), sent(row)];
    // A section, and the saved profiles, may be of both.
    const marks = row === 'section announced' || row === 'profile' ? ['hall'] : [theirs];
    const isThere = marks.every((mark) => (mark === theirs ? now === theirs : now.includes(mark)));
    return [row, isThere && theirs !== '' && now !== '' ? 'yes' : 'no'];
  });
  expect(before('night_dim_percent')).not.toBe(sent('night_dim_percent'));
  expect(found).toEqual(rows.map((row) => [row[0], row[column + 1] === 'yes' ? 'yes' : 'no']));
}

/** The reasons of the keys that were not taken, for the rows that name one. */
function expectReasons(rows: readonly Row[], column: number, skipped: unknown): void {
  const listed = skipped as readonly { readonly key: string; readonly reason: string }[];
  const reasons = new Map(listed.map(({ key, reason }) => [key, reason]));
  const named = rows.filter((row) => row[column + 1] !== 'yes' && row[column + 1] !== 'no');
  expect(named.map(([key]) => [key, reasons.get(key)])).toEqual(named.map((row) => [row[0], row[column + 1]]));
}

describe('three panels on machines of their own', () => {
  let hall: Panel;
  let kitchen: Panel;
  let attic: Panel;
  let sent: (row: string) => string;
  let bundle: Json;
  let archive: Buffer;

  beforeAll(async () => {
    [hall, kitchen, attic] = await Promise.all([startUsed('hall', 1), startUsed('kitchen', 2), startUsed('attic', 3)]);
    const { values, ...head } = await getJson(hall.agent, 'config/export?include_secrets=1');
    expect(Object.keys(values as Json)).not.toContain('ha_oauth');
    bundle = { ...head, values: { ...(values as Json), ha_oauth: 'stolen', camera_consent: 'true' } };
    archive = await makeBackup(hall.agent, passphrase);
    sent = held(hall);
  });

  /** Gives the panel other settings than those that were sent. */
  async function change({ agent, name, settings }: Panel): Promise<void> {
    const other = name === 'hall' ? settingsOf('cellar', 4) : settings;
    expect((await postJson(agent, 'config', other)).status).toBe(200);
  }

  it.each([
    ['home in mode restore', 0],
    ['home in mode fleet', 1],
    ['elsewhere in mode restore', 2],
    ['elsewhere in mode fleet', 3],
  ])('take of a bundle what the table says: %s', async (_, column) => {
    const panel = column < 2 ? hall : kitchen;
    await change(panel);
    const before = held(panel);
    const mode = column % 2 === 0 ? 'restore' : 'fleet';
    const { status, body } = await postJson(panel.agent, `config/import?mode=${mode}`, bundle);
    expect([status, body['status']]).toEqual([200, 'applied']);
    expectReasons(bundles, column, body['skipped']);
    expectRows(bundles, column, { before, after: held(panel), sent });
  });

  /** Restores by a request, and the restart. */
  async function restore(panel: Panel): Promise<Json> {
    const preview = await sendRestore(panel.agent, archive, { passphrase, query: 'dry_run=1' });
    expect(preview).toMatchObject({ status: 200, body: { status: 'preview', made_by: 'hall' } });
    const { status, body } = await sendRestore(panel.agent, archive, { passphrase });
    expect([status, body['status']]).toEqual([202, 'started']);
    for (const field of ['changes', 'skipped_keys', 'parts']) expect(body[field]).toEqual(preview.body[field]);
    panel.agent = await afterRestart(panel.agent, panel.options);
    expect(await endedJob(panel.agent)).toMatchObject({ kind: 'restore', result: { status: 'succeeded' } });
    expect(temporaryIn(panel.options.data)).toEqual([]);
    return body;
  }

  it('take of a backup what the table says: home, on a new card', async () => {
    const cellar = await startUsed('cellar', 4, { env: hall.options.env });
    const before = held(cellar);
    const body = await restore(cellar);
    expect(body['origin']).toBe('this-machine');
    expectRows(backups, 0, { before, after: held(cellar), sent });
  });

  it('take of a backup what the table says: elsewhere', async () => {
    await change(kitchen);
    const before = held(kitchen);
    const body = await restore(kitchen);
    expect(body['origin']).toBe('another-machine');
    expectReasons(backups, 1, body['skipped_keys']);
    expectRows(backups, 1, { before, after: held(kitchen), sent });
  });

  it('take of a backup what the table says: in the place of the other, by the command line', async () => {
    const { agent, options } = attic;
    const before = held(attic);
    const [file, secret] = [join(ownFolder(), 'hall.hpb'), join(ownFolder(), 'passphrase')];
    writeFileSync(file, archive);
    writeFileSync(secret, `${passphrase}\n`, { mode: 0o600 });
    const preview = await sendRestore(agent, archive, { passphrase, query: 'dry_run=1&replaces=1' });
    expect(preview.body['origin']).toBe('replaces');
    expectReasons(backups, 2, preview.body['skipped_keys']);
    const words = ['restore', file, '--replaces', '--passphrase-file', secret, '--data', options.data];
    const [{ stdout, stderr }, next] = await Promise.all([
      run(process.execPath, [program, ...words]),
      afterRestart(agent, options),
    ]);
    attic.agent = next;
    expect(stderr).toBe('');
    expect(stdout).toMatch(/The backup was restored\.\n$/);
    expect(temporaryIn(options.data)).toEqual([]);
    expectRows(backups, 2, { before, after: held(attic), sent });
    const identityNow = await until('the identity', async () => {
      const { panel_id: id, friendly_name: name } = await getJson(next, 'config');
      return id === 'hall' ? [id, name] : null;
    });
    expect(identityNow).toEqual(['hall', 'hall']);
    // What Home Assistant knows of the panel it was stays known, so that it can be removed there.
    expect(held(attic)('section announced')).toContain('attic');
  });
});
