import { setTimeout as pause } from 'node:timers/promises';

import { createActor } from 'xstate';
import { expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { startLive } from './live-agent.ts';

it('waits on its way out for a browser that takes its time to close', async () => {
  const live = await startLive();
  let closed = false;
  const driver = createActor(
    fromDriver<{ type: 'none' }, undefined, never>(() => async () => {
      await pause(550);
      closed = true;
    }),
  ).start();
  const ended = live.agent.ended.then(() => driver.stop());
  await live.agent.shutdown();
  await ended;
  expect(closed).toBe(true);
  await live.close();
});
