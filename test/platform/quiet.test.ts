import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from './home-assistant/home.ts';
import { resident, tokenOf } from './home-assistant/onboard.ts';
import { Agent } from './kit/agent.ts';
import { until } from './kit/until.ts';

let home: Home;
const folder = mkdtempSync(join(tmpdir(), 'sconce-quiet-'));

beforeAll(async () => {
  home = await Home.start(null);
});
afterAll(async () => {
  await home?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the log of Home Assistant', () => {
  it.each([
    ['an administrator', () => Promise.resolve(home.token)],
    ['a resident', () => tokenOf(home.url, resident)],
  ])('has no line more by a panel of %s that connects, and connects again', async (_, token) => {
    const file = join(folder, 'token');
    writeFileSync(file, await token(), { mode: 0o600 });
    const before = home.log;
    const agent = await Agent.start({
      args: ['--ha-url', home.url, '--ha-token-file', file, '--renderer', 'headless'],
    });
    try {
      for (const start of [1, 2]) {
        if (start === 2) {
          await agent.kill();
          await agent.startAgain();
        }
        await until('it is connected', async () => (await agent.status()).home_assistant?.connection === 'live');
        await until('it knows the account', async () => (await agent.status()).sign_in?.administrator !== null);
        await until('the lifecycle is watched', async () => (await agent.text('/health')).includes(' ha=normal'));
      }
    } finally {
      await agent.stop();
    }
    const more = home.log.slice(before.length).split('\n').filter(Boolean);
    expect(more).toEqual([]);
  });
});
