import { describe, expect, it, vi } from 'vitest';

import type { Grant, LoginAnswer } from '#drivers/sign-in/contract.ts';
import { readCredential } from '#machines/sign-in/credential.ts';
import { grant, origin, panel, refused, start, stored, unreachable } from './rig.ts';

const elsewhere = 'http://192.168.1.21:8123';
const away: LoginAnswer = { ok: false, reason: 'unreachable', sent: false, code: 'ECONNREFUSED' };

type Rig = ReturnType<typeof start>;
const state = ({ facts }: Rig, password: string) => vi.waitFor(() => expect(facts().password).toBe(password));

describe('a sign-in with a password', () => {
  it('ends with tokens stored as any sign-in stores them, and no password anywhere', async () => {
    const rig = start(origin, {});
    rig.give();
    await rig.settled('signed-in');
    expect(rig.port.logIn.mock.calls.map(([at, login]) => [at, login])).toEqual([
      [
        origin,
        {
          username: 'wall',
          password: 'hunter2',
          clientId: `${panel}/`,
          redirectUri: `${panel}/api/v1/ha/oauth/callback`,
        },
      ],
    ]);
    expect(rig.port.exchange.mock.calls[0]?.[1]).toEqual({ code: 'c', clientId: `${panel}/`, verifier: null });
    // Refreshed by the client that it was issued to, at the Home Assistant that issued it.
    expect(readCredential(rig.secrets()['ha_oauth'] ?? '')).toEqual({
      refreshToken: 'refresh-x',
      clientId: `${panel}/`,
      origin,
    });
    expect(await rig.token()).toMatchObject({ ok: true, token: 'access-x' });
    expect(rig.facts()).toMatchObject({ method: 'oauth', lastOutcome: 'signed-in', password: 'none' });
    expect(JSON.stringify([rig.secrets(), rig.seen(), [...rig.hidden]])).not.toContain('hunter2');
  });

  it('waits for its address', async () => {
    const rig = start('', {});
    rig.give();
    await state(rig, 'held');
    expect(rig.hidden).toContain('hunter2');
    rig.save({ ha_url: origin });
    await rig.settled('signed-in');
    expect(rig.port.logIn.mock.calls[0]?.[0]).toBe(origin);
  });

  it.each([
    ['is set', elsewhere],
    ['is named first', ''],
  ])('goes to no other Home Assistant that %s', async (_, address) => {
    const rig = start(address, {});
    rig.give();
    if (address === '') await state(rig, 'held');
    rig.save({ ha_url: elsewhere });
    await state(rig, 'password-stale');
    rig.save({ ha_url: origin });
    await rig.settled('needed');
    expect([...rig.hidden]).toEqual([]);
    expect(rig.port.logIn).not.toHaveBeenCalled();
  });

  it.each([
    ['a sign-in', stored],
    ['a token', { ha_token: 'long' }],
  ])('is not made beside %s', async (_, secrets) => {
    const rig = start(origin, secrets);
    rig.give();
    await rig.settled('signed-in');
    await vi.waitFor(() => expect(rig.hidden).not.toContain('hunter2'));
    await rig.signOut();
    await rig.settled('needed');
    expect(rig.port.logIn).not.toHaveBeenCalled();
  });

  it('is not made where a token was saved just before', async () => {
    const rig = start(origin, {});
    await rig.settled('needed');
    rig.save({ ha_token: 'long' });
    rig.give();
    await rig.settled('signed-in');
    await vi.waitFor(() => expect(rig.hidden).not.toContain('hunter2'));
    expect(rig.port.logIn).not.toHaveBeenCalled();
  });

  it.each(['password-refused', 'password-second-factor', 'password-rejected'] as const)(
    'that ended as %s stores nothing, and leaves the password nowhere',
    async (reason) => {
      const rig = start(origin, {});
      rig.port.logIn.mockResolvedValue({ ok: false, reason });
      rig.give();
      await state(rig, reason);
      expect([...rig.hidden]).toEqual([]);
      rig.save({ ha_url: elsewhere });
      rig.save({ ha_url: origin });
      await rig.settled('needed');
      expect(rig.secrets()).toEqual({});
      expect(rig.port.logIn).toHaveBeenCalledTimes(1);
      expect(rig.port.exchange).not.toHaveBeenCalled();
    },
  );

  it('takes Home Assistant for the client where it takes no panel at such an address', async () => {
    const rig = start(origin, {});
    rig.give('http://100.64.0.9:8888');
    await rig.settled('signed-in');
    expect(rig.port.logIn.mock.calls[0]?.[1]).toMatchObject({ clientId: `${origin}/` });
    expect(readCredential(rig.secrets()['ha_oauth'] ?? '')).toMatchObject({ clientId: `${origin}/` });
  });

  it('is tried again while Home Assistant is away, and not at another address', async () => {
    const rig = start(origin, {});
    rig.port.logIn.mockResolvedValue(away);
    rig.give();
    await state(rig, 'unreachable');
    rig.save({ ha_url: elsewhere });
    await state(rig, 'password-stale');
    expect([...rig.hidden]).toEqual([]);
    expect(rig.port.logIn.mock.calls.map(([at]) => at)).toEqual([origin]);
  });

  it.each([
    ['rejected', refused, 'password-rejected'],
    ['unreachable', unreachable, 'unreachable'],
  ] as const)('whose code is %s is %s', async (_, answer, expected) => {
    const rig = start(origin, {});
    rig.port.exchange.mockResolvedValue(answer);
    rig.give();
    await state(rig, expected);
    expect(rig.secrets()).toEqual({});
  });

  it('that cannot be saved is revoked and forgotten', async () => {
    const rig = start(origin, {});
    rig.fail(true);
    rig.give();
    await state(rig, 'password-not-kept');
    expect(rig.port.revoke).toHaveBeenCalledWith(origin, 'refresh-x');
    expect([...rig.hidden]).toEqual([]);
  });

  it('gives way to a person who signed in meanwhile', async () => {
    const rig = start(origin, {});
    let exchange: (granted: Grant) => void = () => {};
    rig.port.exchange.mockReturnValueOnce(new Promise((resolve) => (exchange = resolve)));
    rig.give();
    await vi.waitFor(() => expect(rig.port.exchange).toHaveBeenCalledTimes(1));
    await rig.begin();
    rig.port.exchange.mockResolvedValueOnce(grant('access-p', 'refresh-p'));
    expect(await rig.comeBack('1'.repeat(43))).toBe('signed-in');
    await rig.settled('signed-in');
    exchange(grant('access-x', 'refresh-x'));
    await vi.waitFor(() => expect(rig.port.revoke).toHaveBeenCalledWith(origin, 'refresh-x'));
    expect(await rig.token()).toMatchObject({ token: 'access-p' });
    expect(rig.facts().password).toBe('none');
  });

  it('ends with the part, which keeps no password', async () => {
    const rig = start('', {});
    rig.give();
    await state(rig, 'held');
    rig.stop();
    expect([...rig.hidden]).toEqual([]);
  });
});
