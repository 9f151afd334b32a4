import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

import { clearAway, ownFolder, spawnAgent } from './agent-process.ts';
import { until } from './live-agent.ts';

afterEach(clearAway);

/**
 * Written at the end of a process that loads it first: how many schemas were made, and which modules of Node were
 * loaded. The hook is the one of zod's own compiler.
 */
const observer = (file: string): string => `
  let schemas = 0;
  globalThis.__zod_globalConfig = { postProcessor: () => { schemas += 1; } };
  process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)},
    JSON.stringify({ schemas, modules: process.moduleLoadList })));`;

/** What a start of the simulated panel came to that was asked for nothing but its health. */
async function weigh(): Promise<{ readonly schemas: number; readonly modules: readonly string[] }> {
  const folder = ownFolder();
  const [file, preload] = [join(folder, 'weight.json'), join(folder, 'observer.cjs')];
  writeFileSync(preload, observer(file));
  const agent = await spawnAgent({ env: { NODE_OPTIONS: `--require=${preload}` } });
  await until(
    () => `the health line; it said: ${agent.output()}`,
    () =>
      fetch(`${agent.url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    15_000,
  );
  await agent.kill('SIGTERM');
  // Written by the lines above.
  return JSON.parse(readFileSync(file, 'utf8')) as Awaited<ReturnType<typeof weigh>>;
}

it('a start makes the schemas of settings and of what it reads, and loads neither fetch nor HTTP/2', async () => {
  const { schemas, modules } = await weigh();
  // 254 of settings; the rest are the options of the profile's drivers and the sections that parts have stored.
  expect(schemas).toBeGreaterThan(250);
  expect(schemas).toBeLessThan(520);
  const heavy = modules.filter((name) => /undici|http2/.test(name));
  expect(heavy).toEqual([]);
});
