import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { Bundle } from '#machines/config-copies/bundle.ts';
import { revisionValues } from '#machines/config-copies/revisions.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { Configuration } from '#routes/config.ts';
import { Imported, ImportPreview, RevisionList, RevisionRestored } from '#routes/config-copies/shapes.ts';
import { amount } from '#test/fakes/amount.ts';
import { sequence } from '#test/fakes/sequence.ts';
import { type AgentProcess, clearAway, startAgent } from './agent-process.ts';
import { type LiveAgent, post, startLive, until } from './live-agent.ts';

let live: LiveAgent | undefined;
afterEach(async () => {
  await live?.close();
  live = undefined;
});
afterAll(clearAway);

type Running = Pick<LiveAgent, 'url'>;

const read = async <S extends z.ZodType>({ url }: Running, path: string, schema: S): Promise<z.output<S>> =>
  schema.parse(await (await fetch(`${url}/api/v1/${path}`)).json());
async function send<S extends z.ZodType>({ url }: Running, path: string, body: unknown, schema: S) {
  const response = await post(`${url}/api/v1/${path}`, body);
  return schema.parse(await response.json());
}
const config = (agent: Running) => read(agent, 'config', Configuration());
const save = (agent: Running, body: object) => send(agent, 'config', body, z.looseObject({ ok: z.literal(true) }));
const exported = (agent: Running, query = '') => read(agent, `config/export${query}`, Bundle());
const revisions = (agent: Running) => read(agent, 'config/revisions', RevisionList());

const hall = {
  friendly_name: 'Hall',
  dashboard_zoom: 110,
  mqtt_discovery_prefix: 'home/discovery',
  night_dim_percent: 35,
  ha_expose_diag_cpu: true,
};
const kitchen = {
  ...hall,
  friendly_name: 'Kitchen',
  dashboard_zoom: 90,
  night_dim_percent: 45,
  ha_expose_diag_cpu: false,
};
const secret = { mqtt_broker: 'mqtt://192.0.2.1:1883', mqtt_password: 'marker-password' };

describe('a configuration', () => {
  it('returns as it was exported, with its credentials if they were asked for', async () => {
    live = await startLive();
    await save(live, { ...hall, ...secret });
    const before = await config(live);
    const [open, whole] = [await exported(live), await exported(live, '?include_secrets=1')];
    expect(JSON.stringify(open)).not.toContain('marker');
    await save(live, { ...kitchen, mqtt_broker: 'mqtt://192.0.2.2:1883' });
    expect((await config(live)).mqtt_password_set).toBe(false);

    const preview = await send(live, 'config/import?dry_run=1', whole, ImportPreview());
    expect(preview.changes.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['friendly_name', 'mqtt_broker', 'mqtt_password', 'ha_expose_diag_cpu']),
    );
    expect(JSON.stringify(preview)).not.toContain('marker');
    const again = `config/import?expected_cfg=${preview.expected_cfg}`;
    const imported = await send(live, again, whole, Imported());
    expect(imported).toMatchObject({ status: 'applied', errors: [], warnings: [] });
    const after = await config(live);
    expect(after).toEqual(before);
    expect(after.mqtt_password_set).toBe(true);

    // The same preview is stale by now, and the same import changes nothing.
    expect((await post(`${live.url}/api/v1/${again}`, open)).status).toBe(409);
    expect(await send(live, 'config/import', open, Imported())).toMatchObject({ status: 'no-op' });
    expect(live.lines.join('\n')).not.toContain('marker');
  });

  it('of another machine brings what is portable', async () => {
    live = await startLive();
    await save(live, { friendly_name: 'Attic', dashboard_zoom: 80 });
    const bundle = {
      kind: 'sconce-config',
      schema: 1,
      exported_by: 'hall',
      origin: ['a'.repeat(64)],
      values: { ...Object.fromEntries(Object.entries(hall).map(([key, value]) => [key, String(value)])), lava: '1' },
    };
    const imported = await send(live, 'config/import', bundle, Imported());
    expect(imported).toMatchObject({
      status: 'applied',
      applied: ['mqtt_discovery_prefix', 'night_dim_percent', 'ha_expose_diag_cpu'],
    });
    expect(imported.skipped.map(({ key, reason }) => [key, reason])).toEqual([
      ['friendly_name', 'identity-of-another-panel'],
      ['dashboard_zoom', 'device-of-another-panel'],
      ['lava', 'unknown'],
    ]);
    expect((await config(live)).friendly_name).toBe('Attic');
  });

  it('returns to a revision, which is one more', async () => {
    live = await startLive();
    const first = await config(live);
    await save(live, { ...hall, ...secret });
    const [newest, oldest] = await revisions(live);
    expect(newest?.changed).toEqual(expect.arrayContaining(['friendly_name', 'ha_expose_diag_cpu']));
    const restored = await send(live, `config/revisions/${oldest?.id}/restore`, {}, RevisionRestored());
    expect(restored).toMatchObject({ status: 'restored', cleared: ['mqtt_password'], skipped: [] });
    expect((await config(live)).settings).toEqual(first.settings);
    expect(await send(live, `config/revisions/${oldest?.id}/restore`, {}, RevisionRestored())).toMatchObject({
      status: 'no-op',
    });
    const { folder } = live;
    const file = (): string => readFileSync(join(folder, 'revisions.json'), 'utf8');
    await until(
      'the file of the revisions',
      () => existsSync(join(folder, 'revisions.json')) && file().includes('Hall'),
    );
    expect(file()).not.toContain('marker');
  });
});

/** The file of the revisions, once it has that text. */
const fileWith = (folder: string, text: string): Promise<string> =>
  until(`${text} among the revisions`, () => {
    const path = join(folder, 'revisions.json');
    const file = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return file.includes(text) ? file : null;
  });

/** The settings that the two configurations differ in. */
async function stateOf(agent: Running): Promise<string> {
  const { settings, ha_expose: expose } = await config(agent);
  const all: Readonly<Record<string, unknown>> = { ...settings, ha_expose_diag_cpu: expose['diag_cpu'] };
  return JSON.stringify(Object.keys(hall).map((key) => all[key]));
}

/** The revision in force as it is kept, by a start that has compared. */
async function newestRevision(agent: AgentProcess): Promise<unknown> {
  await until('the revision of what is in force', async () => {
    const { settings, ha_expose: expose } = await config(agent);
    const keys = Object.keys(revisionValues({ values: onlyKnown(settings), expose: onlyShown(expose) })).length;
    return (await revisions(agent))[0]?.keys === keys;
  });
  return (await revisions(agent))[0];
}
const onlyKnown = (settings: Configuration['settings']) =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => Object.hasOwn(defaultConfiguration.values, key)));
const onlyShown = (expose: Configuration['ha_expose']) =>
  Object.fromEntries(Object.entries(expose).filter(([key]) => Object.hasOwn(defaultConfiguration.expose, key)));

describe('an agent that is killed', () => {
  it('keeps the last change among the revisions', async () => {
    const agent = await startAgent();
    await save(agent, hall);
    const before = await newestRevision(agent);
    await fileWith(agent.data, 'Hall');
    await save(agent, { friendly_name: 'Kitchen' });
    await agent.kill();
    const next = await startAgent({ data: agent.data, port: agent.port });
    expect((await config(next)).friendly_name).toBe('Kitchen');
    expect(await newestRevision(next)).not.toEqual(before);
    const [newest] = await revisions(next);
    expect(newest?.changed).toContain('friendly_name');
    await next.kill('SIGTERM');
  }, 60_000);

  it('in an import or on the way to a revision has all of the old or all of the new', async () => {
    const random = sequence(7);
    let agent = await startAgent();
    await save(agent, hall);
    const [bundleOfHall, stateOfHall] = [await exported(agent), await stateOf(agent)];
    await newestRevision(agent);
    await agent.kill('SIGTERM');
    // A change joins the one before it, but for the first after a start: the revision before the newest is the hall.
    agent = await startAgent({ data: agent.data, port: agent.port });
    await save(agent, kitchen);
    await newestRevision(agent);
    const [bundleOfKitchen, stateOfKitchen] = [await exported(agent), await stateOf(agent)];
    for (let kills = 0; kills < amount(4, 100); kills += 1) {
      const before = await stateOf(agent);
      const isHall = before === stateOfHall;
      // Before the hall there are the defaults alone.
      const earlier = isHall ? undefined : (await revisions(agent))[1]?.id;
      const job =
        random(2) === 0 && earlier !== undefined
          ? post(`${agent.url}/api/v1/config/revisions/${earlier}/restore`, {})
          : post(`${agent.url}/api/v1/config/import`, isHall ? bundleOfKitchen : bundleOfHall);
      const ended = job.then(
        () => 'answered',
        () => 'cut',
      );
      await Promise.race([ended, new Promise((resolve) => void setTimeout(resolve, random(40)))]);
      await agent.kill();
      await ended;
      agent = await startAgent({ data: agent.data, port: agent.port });
      const after = await stateOf(agent);
      expect([stateOfHall, stateOfKitchen]).toContain(after);
      await newestRevision(agent);
    }
    await agent.kill('SIGTERM');
  }, 240_000);
});
