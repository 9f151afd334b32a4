import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { shownSettings } from '#machines/settings.ts';
import { createApp } from '#routes/app.ts';
import { Saved, SchemaItem } from '#routes/config.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const appWithout = (...absent: readonly string[]) => {
  const facts = settledFacts();
  return createApp(fakeDeps({}, { ...facts, profile: { ...(facts['profile'] as object), absent } }));
};

describe('what settings there are', () => {
  const unavailable = async (app: ReturnType<typeof createApp>): Promise<readonly string[]> => {
    const response = await app.fetch(new Request('http://panel.invalid/api/v1/config/schema'), {});
    const items = z.array(SchemaItem).parse(await response.json());
    expect(items.map(({ key }) => key)).toEqual(shownSettings.map(({ key }) => key));
    return items.filter(({ available }) => !available).map(({ key }) => key);
  };

  it('lists every setting, and says of which this panel has no part', async () => {
    expect(await unavailable(appWithout())).toEqual([]);
    expect(await unavailable(appWithout('adb', 'proximity', 'temperature'))).toEqual([
      'wake_on_wave',
      'proximity',
      'proximity_level',
      'temperature',
      'temperature_offset',
      'adb_device',
    ]);
  });
});

describe('a save', () => {
  test.each([
    [{ status: 'no-op' }, 'Everything was so already; nothing was written.'],
    [{ status: 'saved', applied: ['log_level'] }, 'One value was changed.'],
    [{ status: 'saved', applied: ['log_level', 'ha_expose_screen'] }, '2 values were changed.'],
  ])('says what came of it: %o', async (outcome, message) => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({ ok: true, value: outcome });
    const response = await createApp(deps).fetch(
      new Request('http://panel.invalid/api/v1/config', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"log_level":"debug"}',
      }),
      {},
    );
    expect(Saved.parse(await response.json())).toMatchObject({ ok: true, status: outcome.status, message });
  });
});
