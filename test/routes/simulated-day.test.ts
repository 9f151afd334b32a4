import { describe, expect, it } from 'vitest';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const frames = Array.from({ length: 288 }, (_, index) => ({
  minuteOfDay: index * 5,
  lux: 120.5,
  expectedLux: index === 0 ? null : 100,
  level: 90,
  state: 'following',
}));

const evening = [{ minute: 0, isPresent: true, isSeen: true, isLit: true, reason: 'source_active' }];

function panel(simulated = true) {
  const deps = fakeDeps({ simulated });
  const app = createApp(deps);
  const get = async (query = ''): Promise<readonly [number, unknown]> => {
    const response = await app.fetch(new Request(`http://panel.invalid/api/v1/simulator/day${query}`), {
      peer: '127.0.0.1',
      incoming: { rawHeaders: [] },
    });
    return [response.status, await response.json()];
  };
  return { deps, get };
}

describe('a day of the simulated panel', () => {
  it('is asked for with the saved settings and a seed', async () => {
    const { deps, get } = panel();
    const settings = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 };
    deps.registry.answer = () => ({ ok: true, value: { ok: true, value: { seed: 7, settings, frames, evening } } });
    expect(await get('?seed=7')).toEqual([200, { seed: 7, settings, frames, evening }]);
    expect(deps.registry.told).toContainEqual({ id: 'simulator', event: { type: 'simulator.day', seed: 7, settings } });
  });

  it.each(['?seed=0', '?seed=1.5', '?seed=x', '?seed=1000000', '?day=1'])('refuses %s', async (query) => {
    const { deps, get } = panel();
    expect((await get(query))[0]).toBe(400);
    expect(deps.registry.told).toEqual([]);
  });

  it.each([
    [{ ok: false, reason: 'timeout' }, 'day-busy'],
    [{ ok: true, value: { ok: false, reason: 'day-busy', message: 'Another day.' } }, 'day-busy'],
    [{ ok: false, reason: 'absent' }, 'restarting'],
  ] as const)('is not ready: %j', async (outcome, error) => {
    const { deps, get } = panel();
    deps.registry.answer = () => outcome;
    expect(await get()).toMatchObject([503, { error }]);
  });

  it('does not exist on a real panel', async () => {
    expect((await panel(false).get())[0]).toBe(404);
  });
});
