import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { type AgentProcess, clearAway, ownFolder, startAgent } from '../scenarios/agent-process.ts';
import { post, statusOf, until } from '../scenarios/live-agent.ts';
import { overKills, textIn } from './lives.ts';

afterAll(clearAway);

const kills = 100;

/** The files of the minutes, each as its lines. */
function minuteFiles(data: string): readonly (readonly string[])[] {
  const light = join(data, 'light');
  if (!existsSync(light)) return [];
  return readdirSync(light, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(light, name), 'utf8').split('\n').filter(Boolean));
}

/** Changes the light. */
const disturb = ({ url }: AgentProcess, turn: number): Promise<unknown> =>
  post(`${url}/api/v1/simulator`, { lux: turn % 2 === 0 ? 1 : 100_000 });

const isPreferred = (agent: AgentProcess): Promise<boolean> =>
  statusOf(agent.url).then(
    ({ auto_brightness: { state, detail } }) => state === 'preferred' && detail.includes('78 %'),
  );

it('keeps a preference, and whole files, over kills at random moments', async () => {
  const data = ownFolder();
  const first = await startAgent({ data });
  await post(`${first.url}/api/v1/config`, { auto_brightness: 'true' });
  await until('a level', () => statusOf(first.url).then(({ auto_brightness: { state } }) => state === 'following'));
  await post(`${first.url}/api/v1/action`, { a: 'brightness', value: 200 });
  await until('the preference to be kept', () =>
    textIn(data, 'sections', 'auto-brightness.json').includes('"requested":200'),
  );
  const agent = await overKills(first, {
    kills,
    options: { data },
    holds: (current) => until('the preference after a kill', () => isPreferred(current)),
    disturb,
    between: () => {
      for (const line of minuteFiles(data).flat()) expect(JSON.parse(line)).toHaveLength(9);
    },
  });
  expect(await until('the preference at last', () => isPreferred(agent))).toBe(true);
  // What was measured until an orderly stop is there whole.
  await agent.kill('SIGTERM');
  const rows = minuteFiles(data).flat();
  expect(rows.length).toBeGreaterThan(0);
  for (const line of rows) expect(JSON.parse(line)).toHaveLength(9);
}, 900_000);
