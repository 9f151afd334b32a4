import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { Aedes } from 'aedes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { TreeNode } from '#machines/kit/status.ts';
import { amount } from '#test/fakes/amount.ts';
import { isAllowed } from '#test/rules/layer-table.ts';
import { wideLines } from '#test/rules/line-width.mjs';
import { writtenEdges } from '#test/rules/read-edges.ts';
import { applySteps, copySources, judgeSteps, readSteps, renamed } from '#test/rules/worked-example.ts';

import { type AgentProcess, clearAway, startAgent } from './agent-process.ts';
import { boundMs, buildIn, exampleSteps as steps, heavyPages, root, testsIn, toolIn } from './example-copy.ts';
import { freePort, post, until } from './live-agent.ts';

const isThere = (file: string): boolean => existsSync(join(root, file));
const sources = steps.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));
/** The rules of the house that what the example adds has to pass. */
const rules = [
  'test/machines/doorbell',
  'test/machines/manifests',
  'test/rules/browser-floor',
  'test/rules/core',
  'test/rules/event-tests',
  'test/rules/foreign-names',
  'test/rules/house',
  'test/rules/json-parses',
  'test/rules/machines',
  'test/rules/module-state',
  'test/rules/parts',
  'test/rules/readmes',
  'test/rules/registry-casts',
  'test/rules/setting-links',
  'test/ui/cards',
  'test/ui/page-bundles',
  'test/ui/pages',
  'test/ui/strings',
  'test/ui/weights',
];

describe('the judge of the example', () => {
  const edit = (file: string) => ({ file, insertions: [{ after: '', lines: [''] }] });

  it('lets a subsystem edit its five shared files, the list of strings and the cards, and three for a page', () => {
    const files = ['machines/actors.ts', 'machines/subsystems.ts', 'bin/parts/panel.ts', 'routes/app.ts'];
    const more = ['profiles/slots.ts', 'ui/strings/catalogue.ts', 'ui/late-cards.ts'];
    const ofPage = ['ui/page-table.ts', 'ui/elements/pages.ts', 'routes/pages.tsx'];
    expect(judgeSteps([...files, ...more, ...ofPage].map(edit), 'panel', isThere)).toEqual([]);
  });

  it.each([
    'machines/settings.ts',
    'machines/kit/setting.ts',
    'routes/status/read-status.ts',
    'ui/parts/shell.tsx',
    'ui/icons.ts',
    'bin/parts/media.ts',
    'machines/zigbee/index.ts',
    'package.json',
  ])('refuses an edit of %s', (file) => {
    expect(isThere(file)).toBe(true);
    expect(judgeSteps([edit(file)], 'panel', isThere)).toEqual([`${file} is no file that a subsystem may edit`]);
  });

  it('refuses to replace a file that is there, shared or not', () => {
    for (const file of ['machines/settings.ts', 'machines/actors.ts'])
      expect(judgeSteps([{ file, text: '' }], 'panel', isThere)).toHaveLength(1);
  });

  it('gives all of it another name, but for icons', () => {
    const lines = ['doorbell: Doorbell'];
    expect(
      renamed(
        [
          { file: 'a/doorbell.ts', text: "'mdi:doorbell', ringDoorbell" },
          { file: 'b.ts', insertions: [{ after: 'one', lines }] },
        ],
        'gatebell',
      ),
    ).toEqual([
      { file: 'a/gatebell.ts', text: "'mdi:doorbell', ringGatebell" },
      { file: 'b.ts', insertions: [{ after: 'one', lines: ['gatebell: Gatebell'] }] },
    ]);
  });

  it('reads what is new, and what goes into a file below which line', () => {
    const text =
      '```ts a/b.ts\nnew\n```\n\n```ts\nno file\n```\n\n```diff c.ts\n one\n+two\n+three\n four\n+five\n```\n';
    expect(readSteps(text)).toEqual([
      { file: 'a/b.ts', text: 'new\n' },
      {
        file: 'c.ts',
        insertions: [
          { after: 'one', lines: ['two', 'three'] },
          { after: 'four', lines: ['five'] },
        ],
      },
    ]);
    expect(() => readSteps('```diff c.ts\n-one\n```\n')).toThrow('-one');
  });
});

/** A broker in this process, and what was published there last. */
async function startBroker() {
  const heard = new Map<string, string>();
  const aedes = await Aedes.createBroker();
  aedes.on('publish', ({ topic, payload }) => void heard.set(topic, payload.toString()));
  const server = createServer(aedes.handle);
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      aedes.close(() => server.close(() => resolve()));
    });
  return { port, heard, close };
}

/** What is looked at of the answers of the agent, which describes them by itself. */
const Answers = {
  schema: z.array(z.object({ key: z.string(), group: z.string() })),
  status: z.object({
    capabilities: z.array(z.object({ id: z.string(), state: z.string() })),
    doorbell: z.object({ rings: z.number(), last_at: z.number().nullable(), chimed: z.number() }),
    happened: z.array(z.object({ sentence: z.string() })),
    supervision: TreeNode(),
  }),
  config: z.object({ settings: z.record(z.string(), z.unknown()) }),
  openapi: z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }),
  discovery: z.object({ components: z.record(z.string(), z.looseObject({ platform: z.string() })) }),
};

// It builds a second agent, and the compiler looks at all of it once more: `bin/test all` alone does so.
if (amount(false, true))
  describe('the example of machines/README.md', () => {
    // Below the packages, and always the same place: the compiler knows what it has seen there before.
    const copy = join(root, '.cache/example');
    let said: Readonly<Record<string, string>> = {};
    let agent: AgentProcess;
    let broker: Awaited<ReturnType<typeof startBroker>>;

    const text = async (path: string): Promise<string> => (await fetch(`${agent.url}${path}`)).text();
    const read = async <T>(path: string, shape: z.ZodType<T>): Promise<T> => shape.parse(JSON.parse(await text(path)));

    beforeAll(async () => {
      copySources(root, copy);
      applySteps(copy, steps);
      // The tests of the tree are compiled where they belong; here only what the example brings.
      const configuration = {
        extends: './tsconfig.json',
        include: [...sources, 'bin', 'ui'],
        exclude: ['ui/elements'],
      };
      writeFileSync(join(copy, 'tsconfig.example.json'), JSON.stringify(configuration));
      const tool = (name: string, ...args: readonly string[]) => toolIn(copy, name, ...args);
      const types = (project: string, seen: string) =>
        tool('tsc', '-p', project, '--pretty', 'false', '--incremental', '--tsBuildInfoFile', `.cache/${seen}.json`);
      const build = buildIn(copy);
      const asked: Readonly<Record<string, Promise<string>>> = {
        build,
        types: types('tsconfig.example.json', 'types'),
        'types of the pages': types('ui/tsconfig.json', 'pages'),
        format: tool('oxfmt', '--check', ...sources),
        lint: tool('oxlint', '--type-aware', '--max-warnings', '0', ...sources),
        // The budgets of the core are those of what was built.
        rules: build.then(() => testsIn(copy, rules)),
      };
      said = Object.fromEntries(
        await Promise.all(Object.entries(asked).map(async ([name, what]) => [name, await what] as const)),
      );
      agent = await startAgent({ program: join(copy, 'dist/sconce.cjs') });
      broker = await startBroker();
      await post(`${agent.url}/api/v1/config`, { panel_id: 'hall', mqtt_broker: `mqtt://127.0.0.1:${broker.port}` });
    }, boundMs);
    afterAll(async () => {
      clearAway();
      await broker?.close();
    });

    it('edits no shared file beside those that a subsystem may', () => {
      expect(steps.length).toBeGreaterThan(10);
      expect(judgeSteps(steps, 'panel', isThere)).toEqual([]);
      expect(new Set(steps.map(({ file }) => file)).size).toBe(steps.length);
    });

    it.each(['types', 'types of the pages', 'build', 'format', 'lint', 'rules'])('passes: %s', (step) =>
      expect(said[step]).toBe(''),
    );

    it('keeps to the width of a line and to the layers', () => {
      for (const file of sources) {
        const code = readFileSync(join(copy, file), 'utf8');
        expect(wideLines(code, file.endsWith('x') ? 'tsx' : 'ts'), file).toEqual([]);
        expect(
          writtenEdges(copy, file).filter((edge) => !isAllowed(edge)),
          file,
        ).toEqual([]);
      }
    });

    it('shows its settings in the schema and in the form of their group', async () => {
      const keys = ['doorbell_pause_s', 'doorbell_chimes', 'doorbell_volume_percent', 'doorbell_outside'];
      const items = await read('/api/v1/config/schema', Answers.schema);
      expect(items.filter(({ group }) => group === 'doorbell').map(({ key }) => key)).toEqual(keys);
      expect(await text('/configure')).toContain('<a class="group-link" href="/configure/doorbell">');
      const form = await text('/configure/doorbell');
      for (const key of keys) expect(form).toContain(`name="${key}"`);
    });

    it('is announced to Home Assistant with its entity and its state', async () => {
      const topics = ['homeassistant/device/sconce_hall/config', 'sconce/hall/doorbell_rings/state'];
      await until('the announcement and the state', () => topics.every((topic) => broker.heard.has(topic)));
      const { components } = Answers.discovery.parse(
        JSON.parse(broker.heard.get('homeassistant/device/sconce_hall/config') ?? '{}'),
      );
      expect(components['doorbell_rings']).toMatchObject({ platform: 'sensor', icon: 'mdi:doorbell' });
    });

    it('is supervised in its group, and a part on the page', async () => {
      const { supervision } = await read('/api/v1/status', Answers.status);
      const panel = supervision.children.find(({ id }) => id === 'panel');
      expect(panel?.children.find(({ id }) => id === 'doorbell')).toMatchObject({ kind: 'worker', phase: 'running' });
      expect(await text('/parts')).toContain('<li class="part"><span class="part-name">Doorbell');
    });

    it('has its route in the description of the interface', async () => {
      const { paths } = await read('/api/v1/openapi.json', Answers.openapi);
      expect(Object.keys(paths['/api/v1/doorbell'] ?? {})).toEqual(['post']);
    });

    it('counts a ring, and tells of it wherever one looks', async () => {
      expect((await fetch(`${agent.url}/api/v1/doorbell`, { method: 'POST' })).status).toBe(200);
      const status = await read('/api/v1/status', Answers.status);
      expect(status.doorbell).toMatchObject({ rings: 1 });
      expect(status.capabilities.find(({ id }) => id === 'doorbell')).toMatchObject({ state: 'working' });
      expect(status.happened[0]).toMatchObject({ sentence: 'A visitor rang at the door.' });
      expect(await text('/api/v1/diag')).toMatch(
        /\n\[doorbell\] rings=1 chimed=2\n(.*\n)*\[verdicts\] .*doorbell=bell-simulated/,
      );
      await until('the state', () => broker.heard.get('sconce/hall/doorbell_rings/state') === '1');
      const page = await text('/');
      expect(page).toContain(
        '<h2 id="doorbell-title"><a href="/doorbell">Doorbell</a></h2><sconce-live part="doorbell">',
      );
      for (const shown of [page, await text('/doorbell')]) expect(shown).toContain('1 visitor rang.');
    });

    it('does what its settings say', async () => {
      const ring = async (settings: Readonly<Record<string, number>>) => {
        await post(`${agent.url}/api/v1/config`, settings);
        const { doorbell: before } = await read('/api/v1/status', Answers.status);
        await fetch(`${agent.url}/api/v1/doorbell`, { method: 'POST' });
        const { doorbell: after } = await read('/api/v1/status', Answers.status);
        return { rings: after.rings - before.rings, chimed: after.chimed - before.chimed };
      };
      expect(await ring({ doorbell_chimes: 3 })).toEqual({ rings: 0, chimed: 3 });
      expect(await ring({ doorbell_pause_s: 0 })).toEqual({ rings: 1, chimed: 3 });
      expect(await ring({ doorbell_volume_percent: 0 })).toEqual({ rings: 1, chimed: 0 });
    });

    it('leaves to a person at the panel what needs a consent', async () => {
      const save = (body: object) =>
        fetch(`${agent.url}/api/v1/config`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const isOn = async () => (await read('/api/v1/config', Answers.config)).settings['doorbell_outside'];
      expect((await save({ doorbell_outside: true, doorbell_chimes: 1 })).status).toBe(409);
      expect((await save({ doorbell_outside: true })).status).not.toBe(200);
      expect(await isOn()).toBe(false);
      expect((await save({ doorbell_outside: null })).status).toBe(200);
    });

    it('has pages that weigh no more than any page may', async () => {
      expect(await heavyPages(agent.url, ['/doorbell'])).toEqual([]);
    });

    it('is drawn by the scripts of its pages, and its words are sent to those alone', async () => {
      const own = 'other:"{count} visitors rang."';
      // The first page loads that script once it needs it, with its words.
      expect(await text('/assets/status-cards.js')).toMatch(/doorbell:/);
      expect(await text('/assets/status-cards.js')).toContain(own);
      expect(await text('/assets/doorbell.js')).toContain('doorbell:');
      expect(await text('/doorbell')).toContain('"other":"{count} visitors rang."');
      expect(await text('/more')).not.toContain('visitors rang');
    });

    it('has its machine and its driver in a chunk, and only its manifest in the core', () => {
      // Written by bin/build.mjs; its shape is esbuild's.
      const { outputs } = JSON.parse(readFileSync(join(copy, 'dist/meta.json'), 'utf8')) as {
        readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;
      };
      const beside = (file: string): readonly string[] =>
        Object.values(outputs).flatMap(({ inputs }) => (file in inputs ? Object.keys(inputs) : []));
      const chunk = beside('bin/parts/doorbell.ts');
      for (const file of ['machines/doorbell/machine.ts', 'drivers/doorbell/simulated.ts', 'actors/doorbell.ts'])
        expect(chunk).toContain(file);
      expect(chunk).not.toContain('machines/doorbell/index.ts');
    });
  });
