import { readFileSync } from 'node:fs';
import { amount } from '#test/fakes/amount.ts';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unseenBrowser } from '#test/browser/program.ts';
import type { StatusDocument } from '#machines/status.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { readPersisted } from '#machines/entity-filter/document.ts';
import type { HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { house } from './house.ts';
import { areaEntity, serveCards, twelveCards, twelveNeed } from './kinds.ts';
import { resident, tokenOf } from '../home-assistant/onboard.ts';
import { Agent } from '../kit/agent.ts';
import { drawn } from '../kit/outages.ts';
import { browserOf } from '../kit/processes.ts';
import { until } from '../kit/until.ts';

type Filter = NonNullable<StatusDocument['entity_filter']>;

const used = Array.from({ length: 12 }, (_, at) => `sensor.house_${at * 5}`);
const seed = Number(process.env['SCONCE_OUTAGE_SEED'] ?? 15);
const rounds = amount(3, 50);

let home: Home;
let client: HomeClient;
let agent: Agent;
/** Words and counts of every look at the status, so that what was between two states is seen too. */
const seen = new Set<string>();
let looks: ReturnType<typeof setInterval> | undefined;

const save = (path: string, cards: readonly object[]): Promise<unknown> =>
  client.call('lovelace/config/save', { url_path: path, config: { views: [{ title: 'Hall', path: 'hall', cards }] } });
async function dashboard(path: string, cards: readonly object[]): Promise<void> {
  await client.call('lovelace/dashboards/create', {
    url_path: path,
    title: path,
    mode: 'storage',
    require_admin: false,
    show_in_sidebar: true,
  });
  await save(path, cards);
}

async function filter(): Promise<Filter> {
  const { entity_filter: now, renderer } = await agent.status();
  if (now === null) throw new Error('no filter in the status');
  if (renderer?.phase === 'showing' && now.showing === 'filtered') seen.add(`filtered ${now.entities}`);
  return now;
}
const filtered = (entities: number, withinMs = 30_000): Promise<unknown> =>
  until(
    `the dashboard is filtered to ${entities}`,
    async () => {
      const [now, { renderer }] = [await filter(), await agent.status()];
      const isThere = renderer?.phase === 'showing' && renderer.rendered;
      return isThere && now.showing === 'filtered' && now.entities === entities
        ? true
        : Promise.reject(new Error(JSON.stringify({ now, phase: renderer?.phase, rendered: renderer?.rendered })));
    },
    withinMs,
  );

/** How often the browser or its page was restarted since this agent started. */
const restarts = async (): Promise<number> => (await agent.status()).renderer?.restarts.length ?? 0;

/** Zone, person and sun are always in a set. */
async function always(): Promise<readonly string[]> {
  const states = await client.call<readonly { readonly entity_id: string }[]>('get_states');
  return states.map(({ entity_id: id }) => id).filter((id) => /^(person|update|zone)\.|^sun\.sun$/.test(id));
}

describe.skipIf(noBrowser)('an agent that learns what its dashboard shows', () => {
  let whole = 0;

  beforeAll(async () => {
    home = await house();
    client = await home.client();
    await dashboard('wall-panel', [{ type: 'entities', entities: used }]);
    await dashboard('second-panel', [{ type: 'tile', entity: 'sensor.house_1' }]);
    await dashboard('all-lights', [{ type: 'custom:auto-entities', filter: { include: [{ domain: 'sensor' }] } }]);
    whole = used.length + (await always()).length;
    agent = await Agent.start({ args: ['--renderer', 'headless'], env: unseenBrowser() });
    await agent.configure({
      ha_url: home.url,
      ha_token: home.token,
      home_dashboard: '/wall-panel/hall',
      dashboard_entity_learning: true,
    });
  });
  afterAll(async () => {
    clearInterval(looks);
    await agent?.stop();
  });

  it('holds the dashboard back for its first scan, and shows it filtered', async () => {
    await filtered(whole);
    expect([...seen]).toEqual([`filtered ${whole}`]);
    const { items } = JSON.parse(await agent.text('/api/v1/dashboard/entities?limit=500')) as {
      readonly items: readonly { readonly entity_id: string; readonly subscribed: boolean }[];
    };
    const listed = items.filter(({ subscribed }) => subscribed).map(({ entity_id: id }) => id);
    expect(listed.filter((id) => id.startsWith('sensor.house'))).toEqual(used.toSorted());
  });

  it('filters another dashboard by its own set, and shows one that cannot be bounded whole', async () => {
    const go = (path: string) => agent.post('/api/v1/action', { a: 'navigate', path });
    expect((await go('/second-panel/hall')).code).toBe(202);
    await filtered(whole - used.length + 1);
    expect((await go('/all-lights/hall')).code).toBe(202);
    await until('it is shown whole', async () => (await filter()).showing === 'unbounded');
    expect((await filter()).unbounded).toEqual({ view: 'Hall', card: 'custom:auto-entities' });
    expect((await go('/wall-panel/hall')).code).toBe(202);
    await filtered(whole);
  });

  it('knows every entity of twelve kinds of cards, and names the one whose answer only a template gives', async () => {
    const cards = await serveCards();
    try {
      await client.call('lovelace/resources/create', { res_type: 'module', url: cards.url });
      const { area_id: area } = await client.call<{ readonly area_id: string }>('config/area_registry/create', {
        name: 'Attic',
      });
      expect(area).toBe('attic');
      // An entity is in the area of its device.
      const { device_id: device } = await client.call<{ readonly device_id: string }>('config/entity_registry/get', {
        entity_id: areaEntity,
      });
      await client.call('config/device_registry/update', { device_id: device, area_id: area });
      await dashboard('twelve-panel', twelveCards);
      await dashboard('counting-panel', [{ type: 'custom:counting-card' }, { type: 'tile', entity: 'sensor.house_1' }]);
      // The page knows cards of others from its next load on.
      expect((await agent.post('/api/v1/action', { a: 'reload' })).code).toBe(202);
      await filtered(whole);
      const go = (path: string) => agent.post('/api/v1/action', { a: 'navigate', path });
      expect((await go('/twelve-panel/hall')).code).toBe(202);
      const listed = async (): Promise<readonly string[]> => {
        const path = '/api/v1/dashboard/entities?dashboard=twelve-panel&filter=subscribed&limit=500';
        const { items } = JSON.parse(await agent.text(path)) as {
          readonly items: readonly { readonly entity_id: string }[];
        };
        return items.map(({ entity_id: id }) => id);
      };
      // What the custom card reads comes once it is drawn.
      await until(
        'every id is in the set',
        async () => {
          const ids = await listed();
          const missing = twelveNeed.filter((id) => !ids.includes(id));
          return missing.length === 0 ? true : Promise.reject(new Error(missing.join()));
        },
        30_000,
      );
      expect(await filter()).toMatchObject({ showing: 'filtered' });
      const issues = JSON.parse(await agent.text('/api/v1/dashboard/entities/issues?dashboard=twelve-panel')) as {
        readonly items: readonly { readonly kind: string; readonly card: string | null }[];
      };
      expect(issues.items.filter(({ kind }) => kind === 'template')).toMatchObject([{ card: 'markdown' }]);
      expect((await go('/counting-panel/hall')).code).toBe(202);
      await until('it is shown whole', async () => (await filter()).showing === 'unbounded', 30_000);
      expect((await go('/wall-panel/hall')).code).toBe(202);
      await filtered(whole);
    } finally {
      cards.close();
    }
  });

  it('follows a change of the dashboard by itself', async () => {
    await save('wall-panel', [{ type: 'entities', entities: [...used, 'sensor.house_59'] }]);
    await filtered(whole + 1);
    await save('wall-panel', [{ type: 'entities', entities: used }]);
    // What is gone from the dashboard is kept for two scans more, and a page that is still drawn as before reports it
    // once more: then it is reset again.
    await until(
      'it is filtered to what is left',
      async () => {
        await until('it was scanned', async () => !(await filter()).scanning);
        await agent.post('/api/v1/dashboard/entities/reset', { confirm: true });
        return filtered(whole, 8_000).then(
          () => true,
          () => false,
        );
      },
      40_000,
    );
  });

  it(`is never shown with half a set, nor left dark, whatever is killed: ${rounds} rounds of seed ${seed}`, async () => {
    seen.clear();
    const draw = drawn(seed);
    looks = setInterval(() => void filter().catch(() => undefined), 50);
    const done: string[] = [];
    let browsers = 0;
    for (let round = 0; round < rounds; round += 1) {
      const during = (['scan', 'activate', 'reset'] as const)[Math.floor(draw() * 3)] ?? 'scan';
      // A start of Home Assistant takes longer than all else together.
      // A browser that dies three times in a row has another page shown in the place of home.
      const victim = round % 10 === 4 ? 'home' : browsers < 2 && draw() < 0.6 ? 'browser' : 'agent';
      browsers = victim === 'agent' ? 0 : browsers + (victim === 'browser' ? 1 : 0);
      const body =
        during === 'scan'
          ? {}
          : during === 'activate'
            ? { confirm: true }
            : { confirm: true, clear_filter: draw() < 0.3 };
      const asked = agent
        .post(`/api/v1/dashboard/entities/${during === 'scan' ? 'sync' : during}`, body)
        .catch(() => undefined);
      await new Promise((resolve) => {
        setTimeout(resolve, draw() * 120);
      });
      const since = performance.now();
      if (victim === 'agent') {
        await agent.kill();
        await agent.startAgain();
      } else if (victim === 'home') {
        await home.kill();
        await asked;
        await home.startAgain();
        client = await home.client();
      } else {
        const before = await restarts();
        process.kill(browserOf(agent.pid), 'SIGKILL');
        await until('the death is seen', async () => (await restarts()) > before);
      }
      await asked;
      await filtered(whole, 60_000);
      done.push(`${during}/${victim} ${Math.round(performance.now() - since)} ms`);
      // Whatever was being written, a start finds a whole document.
      const kept = readPersisted(JSON.parse(readFileSync(join(agent.data, 'entity-filter.json'), 'utf8')));
      expect(kept.accounts.length).toBe(1);
    }
    clearInterval(looks);
    console.log(done.join('\n'));
    expect([...seen]).toEqual([`filtered ${whole}`]);
  }, 600_000);

  it('gives the set of one account to no other', async () => {
    await agent.configure({ ha_token: await tokenOf(home.url, resident) });
    await until(
      'it is another account',
      async () => {
        const kept = readPersisted(JSON.parse(readFileSync(join(agent.data, 'entity-filter.json'), 'utf8')));
        return kept.accounts.length === 2;
      },
      30_000,
    );
    await filtered(whole);
    const text = await agent.text('/api/v1/diag');
    for (const word of [home.url, 'wall-panel', 'sensor.house']) expect(text).not.toContain(word);
  });
});
