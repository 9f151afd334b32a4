import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from '../scenarios/agent-process.ts';
import { post, statusOf, until } from '../scenarios/live-agent.ts';

afterAll(clearAway);

const kills = amount(10, 100);

/** The files of the minutes, each as its lines. */
function minuteFiles(data: string): readonly (readonly string[])[] {
  const light = join(data, 'light');
  if (!existsSync(light)) return [];
  return readdirSync(light, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(light, name), 'utf8').split('\n').filter(Boolean));
}

let isBright = false;
/** Changes the light from dark to bright or back, which drags the level. */
async function disturb({ url }: AgentProcess): Promise<void> {
  isBright = !isBright;
  await post(`${url}/api/v1/simulator`, { lux: isBright ? 100_000 : 1 }).catch(() => {});
}

const isPreferred = (agent: AgentProcess): Promise<boolean> =>
  statusOf(agent.url).then(
    ({ auto_brightness: { state, detail } }) => state === 'preferred' && detail.includes('78 %'),
  );

it(
  'keeps a preference, and whole files, over kills at random moments',
  async () => {
    const data = ownFolder();
    let agent = await startAgent({ data });
    await post(`${agent.url}/api/v1/config`, { auto_brightness: 'true' });
    await until('a level', () => statusOf(agent.url).then(({ auto_brightness: { state } }) => state === 'following'));
    await post(`${agent.url}/api/v1/action`, { a: 'brightness', value: 200 });
    await until('the preference to be kept', () => {
      const path = join(data, 'sections', 'auto-brightness.json');
      return existsSync(path) && readFileSync(path, 'utf8').includes('"requested":200');
    });
    for (let life = 0; life < kills; life += 1) {
      const current = agent;
      // oxlint-disable-next-line no-await-in-loop -- one life after another
      await until('the preference after a kill', async () => {
        await disturb(current);
        return isPreferred(current);
      });
      // The moment is random: as many changes more.
      for (let more = Math.floor(Math.random() * 40); more > 0; more -= 1)
        // oxlint-disable-next-line no-await-in-loop -- one change after another
        await disturb(current);
      const last = disturb(current);
      // oxlint-disable-next-line no-await-in-loop -- one life after another
      await current.kill('SIGKILL');
      // oxlint-disable-next-line no-await-in-loop -- one life after another
      await last;
      for (const line of minuteFiles(data).flat()) expect(JSON.parse(line)).toHaveLength(9);
      // oxlint-disable-next-line no-await-in-loop -- one life after another
      agent = await startAgent({ data });
    }
    expect(await until('the preference at last', () => isPreferred(agent))).toBe(true);
    // What was measured until an orderly stop is there whole.
    await agent.kill('SIGTERM');
    const rows = minuteFiles(data).flat();
    expect(rows.length).toBeGreaterThan(0);
    for (const line of rows) expect(JSON.parse(line)).toHaveLength(9);
  },
  amount(60_000, 600_000),
);
