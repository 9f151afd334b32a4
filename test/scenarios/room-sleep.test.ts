import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it, onTestFinished } from 'vitest';

import type { StatusDocument } from '#machines/status.ts';

import { serveFiles } from '../drivers/announcer/source.ts';
import { wav } from '../drivers/announcer/tones.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

afterAll(clearAway);

const chunkName = 'bin-parts-auto-sleep.js';

/** Where an agent keeps the code of the chunks that it loads. */
function codeIn(name: string): {
  readonly env: Readonly<Record<string, string>>;
  readonly read: () => readonly string[];
} {
  const kept = join(ownFolder(), name);
  mkdirSync(kept);
  return { env: { SCONCE_KEEP_CODE: kept }, read: () => readdirSync(kept) };
}

const save = ({ url }: AgentProcess, values: Readonly<Record<string, string>>) => post(`${url}/api/v1/config`, values);
const press = ({ url }: AgentProcess) => post(`${url}/api/v1/simulator`, { press: 1 });
const when = (agent: AgentProcess, what: string, holds: (status: StatusDocument) => boolean): Promise<StatusDocument> =>
  until(what, async () => {
    const status = await statusOf(agent.url);
    return holds(status) && status;
  });
const isScreen =
  (lit: boolean, by?: string) =>
  ({ screen }: StatusDocument): boolean =>
    screen?.lit === lit && (by === undefined || screen.changed?.by === by);

function stored({ data }: AgentProcess): string {
  try {
    return readFileSync(`${data}/sections/auto-sleep.json`, 'utf8');
  } catch {
    return '';
  }
}

/** The wall clock so many hours from now, on the full hour, as the hours are written. */
const hourFromNow = (hours: number): string =>
  `${String((new Date().getHours() + hours + 24) % 24).padStart(2, '0')}:00`;

it('darkens an untouched screen, keeps its hours over a kill, and lights what it darkened once it is off', async () => {
  const agent = await startAgent();
  const first = await when(agent, 'the screen', isScreen(true));
  expect(first.auto_sleep).toEqual({ phase: 'off', reason: 'disabled', detail: 'Auto-sleep is off.' });

  await save(agent, { auto_sleep_source: 'touch', auto_sleep_touch_delay_seconds: '5', auto_sleep: 'true' });
  const held = await when(agent, 'a lease', ({ auto_sleep: { phase } }) => phase === 'holding');
  expect(held.auto_sleep.detail).toMatch(/^Off in [1-5] s: /);
  const asleep = await when(agent, 'the screen to sleep', isScreen(false, 'auto-sleep'));
  expect(asleep.auto_sleep.phase).toBe('sleeping');
  await until('it to be kept', () => stored(agent).includes('"screen":"auto-sleep"'));
  await press(agent);
  await when(agent, 'a touch to light it', isScreen(true, 'touch'));
  await until('that to be kept', () => !stored(agent).includes('"screen":"auto-sleep"'));

  // Within the hours a touch keeps it lit for a while; switched off, it stays dark over a kill.
  await save(agent, { auto_sleep: 'false', screen_off_hours: `${hourFromNow(-1)}-${hourFromNow(2)}` });
  const night = await when(agent, 'the hours', ({ auto_sleep: { reason } }) => reason === 'hand_lease');
  expect(night.screen?.lit).toBe(true);
  await post(`${agent.url}/api/v1/action`, { a: 'screen_off' });
  await when(agent, 'a hand', isScreen(false, 'http'));
  await agent.kill('SIGKILL');
  const on = codeIn('on');
  const again = await startAgent({ data: agent.data, env: on.env });
  const dark = await when(again, 'the hours again', isScreen(false, 'clock'));
  expect(dark.auto_sleep).toEqual({
    phase: 'sleeping',
    reason: 'screen_off_hours',
    detail: `Off until ${hourFromNow(2)}, by the hours that you set.`,
  });
  await until('it to be kept', () => stored(again).includes('"screen":"clock"'));

  // Turned off, it lights what it darkened, and knows nothing of it any more.
  await save(again, { screen_off_hours: '' });
  await when(again, 'the screen to be lit', isScreen(true, 'clock'));
  await until('nothing to be dark by it', () => !stored(again).includes('"screen":'));
  await again.kill('SIGTERM');
  expect(on.read()).toContain(chunkName);

  // Off from the start, nothing of it is loaded.
  const off = codeIn('off');
  const last = await startAgent({ data: agent.data, env: off.env });
  await press(last);
  await when(last, 'it to be off', ({ auto_sleep: { phase } }) => phase === 'off');
  await last.kill('SIGTERM');
  expect(off.read()).toContain('core.js');
  expect(off.read()).not.toContain(chunkName);
});

it('lights a sleeping screen for an announcement', async () => {
  const source = await serveFiles({ '/long.wav': wav(440, 1) });
  onTestFinished(() => source.end());
  const agent = await startAgent();
  await when(agent, 'the screen', isScreen(true));
  await save(agent, { wake_on_announcement: 'true' });
  await when(agent, 'the part', ({ supervision }) => JSON.stringify(supervision).includes('"auto-sleep"'));
  await post(`${agent.url}/api/v1/action`, { a: 'screen_off' });
  await when(agent, 'the screen to be off', isScreen(false));
  await fetch(`${agent.url}/play`, { method: 'POST', body: `${source.url}/long.wav` });
  await when(agent, 'an announcement to light it', isScreen(true, 'announcement'));
  await agent.kill('SIGTERM');
});
