import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { servePlatform, type PlatformPage } from './platform-page.ts';
import { noBrowser, type Rig, START_MS, startRig } from './rig.ts';

describe.skipIf(noBrowser)('a browser that nobody sees', () => {
  let platform: PlatformPage;
  let rig: Rig;
  const asked: boolean[] = [];
  let outcome: TokenOutcome;

  beforeAll(async () => {
    platform = await servePlatform();
    outcome = { ok: true, token: 'access-1', expiresInSeconds: 1800, origin: platform.origin };
    rig = await startRig({
      input: { origin: platform.origin },
      token: (force) => {
        asked.push(force);
        return Promise.resolve(outcome);
      },
    });
    await rig.fact('browser.ready', undefined, { withinMs: START_MS });
  }, START_MS);
  afterAll(async () => {
    await rig.end();
    await platform.close();
  });

  test('shows the platform and signs it in over the bridge', async () => {
    const from = rig.facts.length;
    expect(await rig.settle({ type: 'page.load', path: '/lovelace/hall' })).toMatchObject({ outcome: 'shown', status: 200, path: '/lovelace/hall' });
    await rig.fact('page.loaded', undefined, { from });
    await rig.fact('page.connection', ({ state }) => state === 'connected', { from });
    expect(asked).toEqual([false]);
    expect(platform.heard.find((report) => report.has('token'))?.get('token')).toBe('access-1');
  });
});
