import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import type { StatusDocument } from '#machines/status.ts';

import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

afterAll(clearAway);

const chunkName = 'bin-parts-auto-brightness.js';

/** Where an agent keeps the code of the chunks that it loads. */
function codeIn(name: string): {
  readonly env: Readonly<Record<string, string>>;
  readonly read: () => readonly string[];
} {
  const kept = join(ownFolder(), name);
  mkdirSync(kept);
  return { env: { SCONCE_KEEP_CODE: kept }, read: () => readdirSync(kept) };
}

const light = ({ url }: AgentProcess, lux: number) => post(`${url}/api/v1/simulator`, { lux });
const action = ({ url }: AgentProcess, body: Readonly<Record<string, unknown>>) => post(`${url}/api/v1/action`, body);
const when = (agent: AgentProcess, what: string, holds: (status: StatusDocument) => boolean): Promise<StatusDocument> =>
  until(what, async () => {
    const status = await statusOf(agent.url);
    return holds(status) && status;
  });

function stored({ data }: AgentProcess): string {
  try {
    return readFileSync(`${data}/sections/auto-brightness.json`, 'utf8');
  } catch {
    return '';
  }
}

it('follows the light of the room, keeps to a hand, and remembers it over a kill', async () => {
  const agent = await startAgent();
  const first = await when(agent, 'the screen', ({ screen }) => screen?.lit === true);
  expect(first.auto_brightness).toMatchObject({ state: 'off' });
  expect(first.screen?.changed).toBeNull();

  await post(`${agent.url}/api/v1/config`, { auto_brightness: 'true' });
  const begun = await when(agent, 'a level', ({ screen }) => screen?.changed?.by === 'auto-brightness');
  expect(begun.auto_brightness.state).toBe('following');
  // More light; then the screen is off while it falls.
  await light(agent, 100_000);
  const bright = (begun.screen?.brightness ?? 255) + 8;
  const day = await when(agent, 'a higher level', ({ screen }) => (screen?.brightness ?? 0) > bright);
  await action(agent, { a: 'screen_off' });
  await when(
    agent,
    'the screen to be off',
    ({ screen, auto_brightness: { state } }) => screen?.lit === false && state === 'dark',
  );
  await light(agent, 0);
  const fallen = await when(
    agent,
    'a lower level to come back to',
    ({ screen }) => (screen?.last_brightness ?? 255) < (day.screen?.brightness ?? 255) - 8,
  );
  expect(fallen.screen).toMatchObject({ lit: false, brightness: null });
  await action(agent, { a: 'screen_on' });
  const lit = await when(agent, 'the screen to be lit', ({ screen }) => screen?.lit === true);
  expect(Math.abs((lit.screen?.brightness ?? 255) - (fallen.screen?.last_brightness ?? 0))).toBeLessThan(30);
  await when(agent, 'it to follow', ({ auto_brightness: { state } }) => state === 'following');

  // A hand holds, and goes on to hold after a kill.
  await action(agent, { a: 'brightness', value: 200 });
  const held = await when(agent, 'a preference', ({ auto_brightness: { state } }) => state === 'preferred');
  expect(held.auto_brightness.detail).toMatch(/^\d+ %: .+; you chose 78 % just now, all of that still counts\.$/);
  await until('the preference to be kept', () => stored(agent).includes('"requested":200'));
  await agent.kill('SIGKILL');
  const on = codeIn('on');
  const again = await startAgent({ data: agent.data, env: on.env });
  const back = await when(again, 'the preference again', ({ auto_brightness: { state } }) => state === 'preferred');
  expect(back.screen?.brightness).toBeGreaterThan(150);

  // Turned off, it is forgotten.
  await post(`${again.url}/api/v1/config`, { auto_brightness: 'false' });
  await when(again, 'it to be off', ({ auto_brightness: { state } }) => state === 'off');
  await until('the minutes to be kept', () => existsSync(join(again.data, 'light')));
  await until('the preference to be gone', () => !stored(again).includes('requested'));
  await again.kill('SIGTERM');
  expect(on.read()).toContain(chunkName);

  // Off from the start, nothing of it is loaded, and nothing of it is written.
  const off = codeIn('off');
  const last = await startAgent({ data: agent.data, env: off.env });
  await light(last, 5);
  await when(last, 'it to be off', ({ auto_brightness: { state } }) => state === 'off');
  await last.kill('SIGTERM');
  expect(off.read()).toContain('core.js');
  expect(off.read()).not.toContain(chunkName);
  expect(stored(last)).not.toContain('requested');
});
