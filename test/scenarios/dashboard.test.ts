import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { StatusDocument } from '#machines/status.ts';
import { unseenBrowser } from '../browser/program.ts';
import { HANGS, type HomeAssistantPage, serveHomeAssistant } from '../drivers/renderer/home-assistant-page.ts';
import { noBrowser } from '../drivers/renderer/rig.ts';
import { browserOf } from '../platform/kit/processes.ts';
import { type LiveAgent, post, startLive, statusOf, until } from './live-agent.ts';

/** The contract's bound on the way back after a cause has ended, in milliseconds. */
const BACK_MS = 10_000;

type Renderer = NonNullable<StatusDocument['renderer']>;

describe.skipIf(noBrowser)('a whole agent that shows a dashboard in Chromium', () => {
  let homeAssistant: HomeAssistantPage;
  let live: LiveAgent;

  const when = (what: string, passes: (renderer: Renderer) => boolean, boundMs: number): Promise<Renderer> =>
    until(
      what,
      async () => {
        const { renderer } = await statusOf(live.url);
        return renderer !== null && passes(renderer) ? renderer : null;
      },
      boundMs,
    );
  const shown = (boundMs = BACK_MS): Promise<Renderer> =>
    when('the dashboard is drawn', ({ phase, rendered }) => phase === 'showing' && rendered, boundMs);
  const reasons = async (): Promise<readonly string[]> =>
    ((await statusOf(live.url)).renderer?.restarts ?? []).map(({ reason }) => reason);
  const tokens = (): readonly (string | null)[] =>
    homeAssistant.received.filter((report) => report.get('fine') === 'true').map((report) => report.get('token'));

  beforeAll(async () => {
    vi.stubEnv('PATH', unseenBrowser().PATH);
    homeAssistant = await serveHomeAssistant({ beats: true });
    live = await startLive({
      renderer: 'headless',
      credentials: { ha_url: homeAssistant.origin, ha_token: 'first-token-of-the-test' },
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await live.close();
    await homeAssistant.close();
  });

  test('signs in and shows it by itself', async () => {
    expect(await shown(45_000)).toMatchObject({
      route: 'headless',
      outcome: 'ok',
      state: 'rendered',
      glass: 'dashboard',
    });
    await when('its version is known', ({ platform_version: version }) => version === '2026.11.0', BACK_MS);
    expect(tokens()).toEqual(['first-token-of-the-test']);
    const picture = await fetch(`${live.url}/api/v1/screenshot.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  }, 50_000);

  test('opens the panel’s own pages when its sidebar asks, and comes back from them', async () => {
    homeAssistant.hand("bus('config_screen/show')");
    await when('the own pages', ({ phase, place }) => phase === 'settings' && place === 'own', BACK_MS);
    expect((await post(`${live.url}/api/v1/action`, { a: 'home' })).status).toBe(202);
    await shown();
  }, 30_000);

  test('shows since when and why while Home Assistant is away, and is back within ten seconds', async () => {
    await homeAssistant.close();
    const { away } = await when(
      'the offline page',
      ({ phase, place }) => phase === 'waiting' && place === 'own',
      30_000,
    );
    expect(away).toMatchObject({ reason: expect.stringMatching(/^(refused|unreachable)$/) });
    const glass = await (await fetch(`${live.url}/glass`)).text();
    expect(glass).toContain('Home Assistant isn’t responding');
    await homeAssistant.listen();
    await shown();
    expect(
      live.lines.filter((line) => line.includes('Home Assistant cannot be reached for the dashboard')),
    ).toHaveLength(1);
    expect(
      live.lines.filter((line) => line.includes('Home Assistant is back, and the dashboard with it')),
    ).toHaveLength(1);
    expect(live.lines.filter((line) => line.includes(homeAssistant.origin))).toEqual([]);
  }, 60_000);

  test('is back within ten seconds when its browser is killed', async () => {
    process.kill(browserOf(process.pid), 'SIGKILL');
    await until('noticed', async () => (await reasons()).includes('killed'));
    await shown();
    expect(live.lines.some((line) => line.includes('The browser was killed and was restarted'))).toBe(true);
  }, 30_000);

  test('ends a script that hangs, and is back', async () => {
    homeAssistant.hand(HANGS);
    await until('noticed', async () => (await reasons()).includes('hung'), 40_000);
    await shown();
  }, 60_000);

  test('clears what its page kept when it is asked, and shows it again, signed in', async () => {
    homeAssistant.hand("localStorage.setItem('kept', '1'); fetch('/received?kept=' + localStorage.getItem('kept'))");
    const kept = (value: string) => () => homeAssistant.received.some((report) => report.get('kept') === value);
    await until('the page kept something', kept('1'));
    const before = tokens().length;
    const answer = await post(`${live.url}/api/v1/dashboard/clear-storage`, {});
    expect([answer.status, await answer.json()]).toEqual([202, { ok: true, status: 'started' }]);
    await until('noted', async () => (await reasons()).includes('storage-cleared'));
    await shown();
    expect(tokens().slice(before)).toEqual(['first-token-of-the-test']);
    homeAssistant.hand("fetch('/received?kept=' + localStorage.getItem('kept'))");
    await until('nothing is kept', kept('null'));
  }, 30_000);

  test('signs its page in anew with another credential', async () => {
    const before = tokens().length;
    expect((await post(`${live.url}/api/v1/config`, { ha_token: 'second-token-of-the-test' })).status).toBe(200);
    await until('the new token', () => tokens().slice(before).includes('second-token-of-the-test'));
    await shown();
    expect(await reasons()).toContain('credential');
    expect(live.lines.filter((line) => line.includes('token-of-the-test'))).toEqual([]);
  }, 30_000);
});
