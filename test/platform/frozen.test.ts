import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from './home-assistant/home.ts';
import { type HealthWatch, watchHealth } from './kit/health-watch.ts';
import { until } from './kit/until.ts';
import { Wall } from './kit/wall.ts';

let home: Home;
let wall: Wall;
/** A connection of its own beside the agent's, past its three minutes of settling. */
let watch: HealthWatch;

beforeAll(async () => {
  [home, wall] = await Promise.all([Home.start(null), Wall.start()]);
  const client = await home.client();
  const token = await client.call<string>('auth/long_lived_access_token', { client_name: 'wall', lifespan: 365 });
  await wall.agent.configure({ ha_url: home.url, ha_token: token });
  await wall.showing();
  watch = watchHealth(home.url, home.token);
  await until('it is measured', () => watch.tokens().includes('ha_net_n=1 '));
});

afterAll(async () => {
  watch?.stop();
  await wall?.stop();
  await home?.stop();
});

describe('a frozen Home Assistant', () => {
  // The page itself notices by its own ping alone, which comes every 30 s and is waited for 15 s.
  it('is loss once two pings in a row had no answer, and the dashboard outlives it', async () => {
    home.freeze();
    try {
      await until('one ping had no answer', () => / ha_net=healthy .* ha_net_miss=1 /.test(watch.tokens()), 30_000);
      await until('two had none', () => watch.tokens().includes(' ha_net=severe '), 20_000);
      expect(watch.phase()).toBe('reconnecting');
      expect(watch.tokens()).toContain('ha=connection_lost ');
      await until('the panel noticed', async () => (await wall.renderer()).away !== null, 90_000);
      await wall.look('6-frozen');
    } finally {
      home.thaw();
    }
    await wall.backAfter('Home Assistant thawed');
    await until('it is measured again', () => / ha_net=warning /.test(watch.tokens()), 30_000);
    expect(watch.tokens()).toMatch(/^ha=back_online ha_src=socket /);
  }, 150_000);

  it('is left alone once nothing needs a connection to it', () => {
    watch.need({ lifecycle: false });
    expect([watch.phase(), watch.tokens()]).toEqual(['closed', '']);
  });
});
