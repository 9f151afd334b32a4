import { afterAll, beforeAll, describe, it } from 'vitest';
import { Home } from './home-assistant/home.ts';
import { until } from './kit/until.ts';
import { Wall } from './kit/wall.ts';

let home: Home;
let wall: Wall;

beforeAll(async () => {
  [home, wall] = await Promise.all([Home.start(null), Wall.start()]);
  const client = await home.client();
  const token = await client.call<string>('auth/long_lived_access_token', { client_name: 'wall', lifespan: 365 });
  await wall.agent.configure({ ha_url: home.url, ha_token: token });
  await wall.showing();
});

afterAll(async () => {
  await wall?.stop();
  await home?.stop();
});

describe('the dashboard on a real display', () => {
  // The page itself notices by its own ping alone, which comes every 30 s and is waited for 15 s.
  it('outlives a frozen Home Assistant', async () => {
    home.freeze();
    try {
      await until('the panel noticed', async () => (await wall.renderer()).away !== null, 90_000);
      await wall.look('6-frozen');
    } finally {
      home.thaw();
    }
    await wall.backAfter('Home Assistant thawed');
  }, 150_000);
});
