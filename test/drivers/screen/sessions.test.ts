import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { inSession, socketSessions } from '#drivers/screen/sessions.ts';
import { ok } from '#machines/kit/result.ts';

import { type FakeMachine, fakeMachine } from './fake-displays.ts';

let machine: FakeMachine;
beforeEach(() => (machine = fakeMachine()));
afterEach(() => machine.end());

it.skipIf(process.getuid?.() !== 0)(
  'asks no session of another user, and says so where there is no other',
  async () => {
    for (const name of ['X0', 'X1']) await machine.session(name);
    await machine.session('wayland-0');
    const sessions = socketSessions({ env: machine.env, x11: machine.x11 });
    chownSync(join(machine.x11, 'X0'), 65_534, 65_534);
    expect(await sessions.names()).toEqual(['wayland-0', 'X1']);
    const asked: unknown[] = [];
    const ask = () =>
      inSession(sessions, 'x11', async (env) => {
        asked.push(env['DISPLAY']);
        return ok(null);
      });
    expect([await ask(), asked]).toEqual([{ ok: true, value: null }, [':1']]);
    chownSync(join(machine.x11, 'X1'), 65_534, 65_534);
    expect(await ask()).toMatchObject({ ok: false, reason: 'other-users' });
    expect(asked).toEqual([':1']);
  },
);
