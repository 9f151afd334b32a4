import { afterAll, describe, expect, test } from 'vitest';
import { clearAway, ownFolder, startAgent, type AgentProcess } from './agent-process.ts';
import { post, startLive, until } from './live-agent.ts';

interface Entry {
  readonly at: number;
  readonly kind: string;
  readonly by: string | null;
  readonly code: string;
}

async function historyOf(url: string, limit = 100): Promise<readonly Entry[]> {
  const response = await fetch(`${url}/api/v1/history?limit=${limit}`);
  // The route's own schema is checked in the route tests.
  return response.ok ? ((await response.json()) as { readonly entries: readonly Entry[] }).entries : [];
}

const has = (entries: readonly Entry[], kind: string, code: string): boolean =>
  entries.some((entry) => entry.kind === kind && entry.code === code);

const untilHas = (agent: Pick<AgentProcess, 'url'>, kind: string, code: string): Promise<unknown> =>
  until(`${kind} ${code}`, async () => has(await historyOf(agent.url), kind, code));

describe('the history of a panel', () => {
  afterAll(clearAway);

  test('outlives an ordered stop whole, and a kill but for its last seconds', async () => {
    const data = ownFolder();
    const first = await startAgent({ data });
    await until(
      'the screen',
      async () =>
        ((await (await fetch(`${first.url}/api/v1/status`)).json()) as { screen: { lit: boolean | null } | null })
          .screen?.lit === true,
    );
    await untilHas(first, 'agent', 'first-start');
    await post(`${first.url}/api/v1/action`, { a: 'screen_off' });
    await untilHas(first, 'screen', 'off');
    await post(`${first.url}/api/v1/config`, { log_level: 'debug' });
    await untilHas(first, 'configuration', 'log_level');
    expect((await first.kill('SIGTERM')).code).toBe(0);

    const second = await startAgent({ data });
    await untilHas(second, 'agent', 'started');
    const before = await historyOf(second.url);
    expect(before.filter(({ kind }) => kind !== 'broker').map(({ kind, code }) => `${kind}.${code}`)).toEqual(
      expect.arrayContaining([
        'agent.started',
        'agent.stopped',
        'configuration.log_level',
        'screen.off',
        'agent.first-start',
      ]),
    );
    expect(before.find(({ kind, code }) => kind === 'screen' && code === 'off')?.by).toBe('http');
    // The API has each entry, without values; the page has one line for the restart, and what the setting was.
    expect(new Set(before.flatMap((entry) => Object.keys(entry)))).toEqual(
      new Set(['at', 'kind', 'by', 'code', 'times']),
    );
    const page = await (await fetch(`${second.url}/history`)).text();
    expect(page).toContain('Log level: Info → Debug.');
    expect(page).toContain('Sconce was restarted.');
    expect(page).not.toMatch(/Sconce was (?:started\.|shut down)/);
    await post(`${second.url}/api/v1/action`, { a: 'brightness', value: 40 });
    await post(`${second.url}/api/v1/action`, { a: 'screen_off' });
    await untilHas(second, 'screen', 'off');
    const shown = await historyOf(second.url);
    const killedAt = shown[0]?.at ?? 0;
    // What happened is on disk three seconds later at the latest; then it outlives anything.
    await until('a write after the last entry', () => Date.now() - killedAt > 4000);
    await second.kill('SIGKILL');

    const third = await startAgent({ data });
    await untilHas(third, 'agent', 'started-after-cut');
    const after = await historyOf(third.url);
    expect(after.slice(-shown.length)).toEqual(shown);
    await third.kill('SIGKILL');
    const fourth = await startAgent({ data });
    await untilHas(fourth, 'agent', 'started-after-cut');
    // Killed within its first seconds, it lost those and nothing older.
    expect((await historyOf(fourth.url)).slice(-shown.length)).toEqual(shown);
    await fourth.kill('SIGTERM');
  }, 60_000);

  test('is bounded where it is asked for, and survives the death of its own part', async () => {
    const live = await startLive();
    await untilHas(live, 'agent', 'first-start');
    await post(`${live.url}/api/v1/action`, { a: 'screen_off' });
    await untilHas(live, 'screen', 'off');
    expect(await historyOf(live.url, 1)).toHaveLength(1);
    expect((await fetch(`${live.url}/api/v1/history?limit=0`)).status).toBe(400);
    expect((await fetch(`${live.url}/api/v1/history?limit=501`)).status).toBe(400);
    expect((await fetch(`${live.url}/api/v1/history?limit=x`)).status).toBe(400);
    live.agent.kill('camera');
    await untilHas(live, 'part', 'crashed');
    live.agent.kill('history');
    await until('the record again', async () => has(await historyOf(live.url), 'agent', 'first-start'));
    expect((await historyOf(live.url)).filter(({ kind }) => kind === 'agent')).toHaveLength(1);
    await live.close();
  });
});
