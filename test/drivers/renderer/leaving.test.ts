import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { until } from '../../scenarios/live-agent.ts';
import { type Bench, openBench } from './bench.ts';
import { serveHomeAssistant, type HomeAssistantPage } from './home-assistant-page.ts';
import { noBrowser, START_MS } from './rig.ts';

describe.skipIf(noBrowser)('a page that is left', () => {
  let homeAssistant: HomeAssistantPage;
  let stranger: HomeAssistantPage;
  let bench: Bench;
  const waiting: ((outcome: TokenOutcome) => void)[] = [];

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant();
    stranger = await serveHomeAssistant();
    bench = await openBench(
      { origin: homeAssistant.origin },
      () => new Promise((resolve) => void waiting.push(resolve)),
    );
  }, START_MS);
  afterAll(async () => {
    await bench?.end();
    await homeAssistant?.close();
    await stranger?.close();
  });

  test('is not what the page that follows goes back to', async () => {
    for (const path of ['/before', '/after'])
      expect(await bench.settle({ type: 'page.load', path })).toMatchObject({ outcome: 'shown' });
    await until('there is no way back', async () => (await bench.evaluate('history.length')) === 1);
    await bench.evaluate('void history.back()');
    expect(await bench.evaluate('location.pathname')).toBe('/after');
    waiting.length = 0;
  });

  test('takes the token that it asked for along to nobody, although the next process counts its contexts anew', async () => {
    for (let round = 0; round < 4; round += 1) {
      expect(await bench.settle({ type: 'page.load', path: '/' })).toMatchObject({ outcome: 'shown' });
      const answer = await until('a token is asked for', () => waiting.pop());
      const received = stranger.received.length;
      // Another site, so that it has a process of its own.
      await bench.evaluate(
        `void (location.href = ${JSON.stringify(`${stranger.origin.replace('127.0.0.1', 'localhost')}/`)})`,
      );
      await until(
        'the stranger is there',
        async () =>
          (await bench.evaluate('location.hostname + typeof window.externalAuthSetToken')) === 'localhostfunction',
      );
      answer({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin: homeAssistant.origin });
      // Its own report comes after whatever the answer made it say.
      await until('the answer was tried', async () => {
        await bench.evaluate("fetch('/received?mine=1').then(() => true)");
        return stranger.received.slice(received).filter((report) => report.has('mine')).length > 2;
      });
      expect(stranger.received.filter((report) => (report.get('token') ?? '') !== '')).toEqual([]);
    }
  }, 30_000);
});
