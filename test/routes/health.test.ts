import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { initialFacts } from '#machines/home-assistant/facts.ts';
import { homeAssistantTokens } from '#machines/home-assistant/health-tokens.ts';
import type { Lifecycle } from '#machines/home-assistant/lifecycle.ts';
import { StatusDocument } from '#machines/status.ts';
import { createApp } from '#routes/app.ts';
import { healthGrammar, HealthLine } from '#routes/status/health-line.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

/** Two pings that nothing answered, 10 s apart, after one that was answered. */
const cut = {
  ...initialFacts({ settleMs: 0 }),
  established: true,
  lastAnsweredAt: 600_000,
  lastProbedAt: 620_000,
  samples: [
    { kind: 'round-trip', at: 600_000, ms: 12 },
    { kind: 'network-failure', at: 610_000 },
    { kind: 'network-failure', at: 620_000 },
  ],
};
const held = { running: { link: { held: { attempting: 'live' } } } };
const lost = { running: { link: { held: 'waiting' } } };

describe('the network on the health line', () => {
  it.each([
    ['as it was', 1_700_000_000_000],
    ['set back by a year', 1_668_000_000_000],
    ['set ahead by a year', 1_732_000_000_000],
  ])('is what was measured with the clock %s', async (_, now) => {
    const deps = fakeDeps({ now: () => now, elapsed: () => 620_500.4 }, { ...settledFacts(), 'home-assistant': cut });
    deps.registry.put('home-assistant', cut, held);
    const app = createApp(deps);
    const answer = await app.fetch(new Request('http://panel.invalid/health'), {});
    expect(await answer.text()).toContain(
      ' ha_net=severe ha_resp=healthy ha_net_p95=12 ha_net_n=3 ha_net_miss=2 ha_net_age=20500',
    );
    const status = await app.fetch(new Request('http://panel.invalid/api/v1/status'), {});
    expect(await status.json()).toMatchObject({ ha_network: { state: 'severe', last_round_trip_age_ms: 20_500 } });
  });

  it.each([
    [919_999, 'ha_net_n=1 ha_net_miss=1', false],
    [920_000, 'ha_net_n=0 ha_net_miss=0', true],
  ])(
    'says %i ms after the start whether a ping could be sent in the last five minutes',
    async (at, counts, unprobed) => {
      const deps = fakeDeps({ elapsed: () => at }, { ...settledFacts(), 'home-assistant': cut });
      deps.registry.put('home-assistant', cut, lost);
      const app = createApp(deps);
      const read = async (path: string) => (await app.fetch(new Request(`http://panel.invalid${path}`), {})).text();
      expect(await read('/health')).toContain(counts);
      expect(await read('/api/v1/diag')).toContain(`unprobed=${unprobed}`);
      const sentence = 'No ping could be sent to Home Assistant for five minutes';
      const { ha_network: network, warnings } = StatusDocument().parse(JSON.parse(await read('/api/v1/status')));
      expect([network.unprobed, warnings.some((line) => line.startsWith(sentence))]).toEqual([unprobed, unprobed]);
      expect((await read('/')).includes(sentence)).toBe(unprobed);
    },
  );
});

const Schema = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
});
const Document = z.object({ components: z.object({ schemas: z.record(z.string(), Schema) }) });

/** The value at `a.b` of a document; undefined where a level is missing. */
const memberAt = (document: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (level, name) =>
        typeof level === 'object' && level !== null
          ? Object.entries(level).find(([key]) => key === name)?.[1]
          : undefined,
      document,
    );

describe('each token', () => {
  const normal: Lifecycle = { state: 'normal', source: null };
  it.each<[string, object, typeof held | undefined, Lifecycle | null]>([
    ['a cut path', {}, held, normal],
    ['a fast path', { samples: cut.samples.slice(0, 1) }, held, { state: 'back_online', source: 'socket' }],
    ['nothing answered yet', { samples: [], lastAnsweredAt: null }, held, null],
    ['no connection', {}, undefined, { state: 'shutting_down', source: 'mqtt' }],
    ['the first minutes', { settling: true, samples: [] }, held, normal],
  ])('says what its member of the status document says: %s', async (_, facts, state, lifecycle) => {
    const shown = { ...cut, ...facts, lifecycle };
    const deps = fakeDeps({ elapsed: () => 620_500 }, { ...settledFacts(), 'home-assistant': shown });
    deps.registry.put('home-assistant', shown, state);
    const app = createApp(deps);
    const line = await (await app.fetch(new Request('http://panel.invalid/health'), {})).text();
    const status: unknown = await (await app.fetch(new Request('http://panel.invalid/api/v1/status'), {})).json();
    const tokens = new Map([...line.matchAll(/ ([a-z0-9_]+)=([^ \n]+)/g)].map(([, name, value]) => [name, value]));
    const isJudged = tokens.has('ha_resp');
    for (const { name, member } of homeAssistantTokens) {
      if (member === null) continue;
      const value = memberAt(status, member);
      // The document always has its numbers; the line has them once there is a verdict.
      const isOnLine = typeof value === 'number' ? isJudged : value !== null;
      expect([name, member, tokens.get(name)]).toEqual([name, member, isOnLine ? String(value) : undefined]);
    }
  });
  it('is named where the status document has the same', async () => {
    const { components } = Document.parse(
      await (await createApp(fakeDeps()).fetch(new Request('http://panel.invalid/api/v1/openapi.json'), {})).json(),
    );
    const sections = components.schemas['Status']?.properties ?? {};
    for (const { name, member } of homeAssistantTokens) {
      const [section = '', field = ''] = member?.split('.') ?? [];
      const shared = sections[section]?.$ref?.split('/').at(-1) ?? '';
      const { properties = {} } = components.schemas[shared] ?? sections[section] ?? {};
      expect([name, properties[field]?.description]).toEqual([name, expect.stringContaining(`\`${name}\``)]);
    }
  });
  it('stands in the description of the route, with every word and when it is absent', async () => {
    const document = await (
      await createApp(fakeDeps()).fetch(new Request('http://panel.invalid/api/v1/openapi.json'), {})
    ).text();
    expect(document).toContain(JSON.stringify(healthGrammar));
    for (const { name, values } of homeAssistantTokens) {
      expect(healthGrammar).toMatch(new RegExp(`^- \`${name}=\` .*Absent .*\\.`, 'm'));
      for (const word of Object.keys('words' in values ? values.words : {}))
        expect(healthGrammar).toContain(`\`${word}\``);
    }
  });
});

describe('the form of the line', () => {
  const line =
    'sconce 0.1.0 panel=hall build=abcdef01 cfg=1a2b3c4d ha=normal ha_net=healthy ha_resp=healthy ha_net_p95=-1 ha_net_n=0 ha_net_miss=0 ha_net_age=-1\n';
  it.each([
    ['the start', 'sconce 0.1.0 panel=- build=abcdef01 cfg=00000000\n'],
    ['all of it', line],
    ['who told so', line.replace('normal', 'shutting_down ha_src=mqtt')],
    ['the first minutes', 'sconce 0.1.0 panel=hall build=abcdef01 cfg=1a2b3c4d ha_net=settling\n'],
    ['what a later version adds', line.replace('\n', ' camera=idle x_1=2\n')],
  ])('takes %s', (_, text) => {
    expect(HealthLine().safeParse(text).success).toBe(true);
  });
  it.each([
    ['a word that there is none of', line.replace('normal', 'asleep')],
    ['a word of another token', line.replace('ha_resp=healthy', 'ha_resp=settling')],
    ['a missing token', line.replace('cfg=1a2b3c4d ', '')],
    ['another order', line.replace('ha=normal ha_net=healthy', 'ha_net=healthy ha=normal')],
    ['a fraction', line.replace('ha_net_age=-1', 'ha_net_age=1.5')],
    ['no line end', line.trim()],
    ['a second line', `${line}${line}`],
  ])('refuses %s', (_, text) => {
    expect(HealthLine().safeParse(text).success).toBe(false);
  });
});
