import { describe, expect, it, vi } from 'vitest';

import { signInSpec } from '#actors/sign-in.ts';
import { signInVault } from '#actors/sign-in/vault.ts';
import { accessTokens } from '#drivers/sign-in/access-tokens.ts';
import type { HomeAssistantPort } from '#drivers/sign-in/contract.ts';
import { storedCredential } from '#machines/sign-in/credential.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { ATTEMPT_MS, type VaultCommand, type VaultFact } from '#machines/sign-in/events.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';
import { grant, oauth, origin, panel, refused, start, stored, unreachable } from './rig.ts';

describe('the owner of the tokens', () => {
  it('answers many at once from one renewal, and later from what it has', async () => {
    const { port, token, settled, connections } = start(origin, stored);
    await settled('signed-in');
    const [one, other] = await Promise.all([token(), token()]);
    expect(one).toEqual({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin });
    expect(other).toEqual(one);
    await token();
    expect(port.refresh).toHaveBeenCalledTimes(1);
    expect(connections[0]).toMatchObject({ origin, token: 'access-1', liftExpiry: true });
  });

  it('says which settings it is about, also where they say nothing of it', async () => {
    const { settled, facts, registry, publish } = start(origin, stored);
    await settled('signed-in');
    await vi.waitFor(() => expect(facts().settingsRevision).toBe(1));
    publish();
    registry.put('settings', { ...(registry.read('settings')?.context as object), revision: 9 });
    await vi.waitFor(() => expect(facts()).toMatchObject({ phase: 'signed-in', settingsRevision: 9 }));
  });

  it('never answers from what it has when that was just refused', async () => {
    const { port, token, settled } = start(origin, stored);
    await settled('signed-in');
    await token();
    port.refresh.mockResolvedValue(grant('access-2'));
    expect(await token(true)).toMatchObject({ token: 'access-2' });
    port.refresh.mockResolvedValue(unreachable);
    expect(await token(true)).toEqual({ ok: false, reason: 'unreachable' });
  });

  it('renews in time, and hands out the old token while that cannot be', async () => {
    const { port, token, settled, pass, facts } = start(origin, stored);
    await settled('signed-in');
    await token();
    port.refresh.mockResolvedValue(unreachable);
    pass(1_600_000);
    expect(await token()).toMatchObject({ ok: true, token: 'access-1', expiresInSeconds: 200 });
    expect(facts().reachable).toBe(false);
    pass(190_000);
    expect(await token()).toEqual({ ok: false, reason: 'unreachable' });
    port.refresh.mockResolvedValue(grant('access-2'));
    expect(await token()).toMatchObject({ token: 'access-2' });
    expect(facts().reachable).toBe(true);
  });

  it('tells a refusal apart, and asks no more after it', async () => {
    const { port, token, settled, facts } = start(origin, stored);
    port.refresh.mockResolvedValue(refused);
    await settled('refused');
    const before = port.refresh.mock.calls.length;
    expect([await token(), await token(true)]).toEqual([
      { ok: false, reason: 'refused' },
      { ok: false, reason: 'refused' },
    ]);
    expect(port.refresh).toHaveBeenCalledTimes(before);
    expect(facts()).toMatchObject({ method: 'oauth', reachable: true });
  });

  it('tries a refused sign-in again by itself, and is in when it is taken', async () => {
    vi.useFakeTimers();
    try {
      const { port, token, facts, connections } = start(origin, stored);
      port.refresh.mockResolvedValue(refused);
      await vi.advanceTimersByTimeAsync(100);
      expect(facts().phase).toBe('refused');
      port.refresh.mockResolvedValue(unreachable);
      await vi.advanceTimersByTimeAsync(300_000);
      expect(facts().phase).toBe('refused');
      const { revision } = facts();
      port.refresh.mockResolvedValue(grant('access-2'));
      await vi.advanceTimersByTimeAsync(300_000);
      expect(facts()).toMatchObject({ phase: 'signed-in', method: 'oauth', reachable: true, revision: revision + 1 });
      expect(await token()).toMatchObject({ token: 'access-2' });
      expect(connections.at(-1)).toMatchObject({ token: 'access-2' });
      const asked = port.refresh.mock.calls.length;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(port.refresh).toHaveBeenCalledTimes(asked);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves a refused long-lived token alone', async () => {
    vi.useFakeTimers();
    try {
      const { port, token, facts } = start(origin, { ha_token: 'long' });
      await vi.advanceTimersByTimeAsync(100);
      port.check.mockResolvedValue(refused);
      await token(true);
      expect(facts().phase).toBe('refused');
      await vi.advanceTimersByTimeAsync(900_000);
      expect(port.check).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('asks whether it was revoked as soon as its connection ends', async () => {
    const { port, settled, connections } = start(origin, stored);
    await settled('signed-in');
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    port.refresh.mockResolvedValue(refused);
    connections[0]?.onEnd('closed', null);
    await settled('refused');
  });

  it('says who is signed in', async () => {
    const { connections, facts } = start(origin, stored);
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    connections[0]?.onUser({ displayName: 'Kim', administrator: true });
    expect(facts()).toMatchObject({ displayName: 'Kim', administrator: true, reachable: true });
  });

  it('hands out a long-lived token as it is, and checks it when it was refused', async () => {
    const { port, token, settled, connections } = start(origin, { ha_token: 'long' });
    await settled('signed-in');
    expect(await token()).toEqual({ ok: true, token: 'long', expiresInSeconds: 315_360_000, origin });
    expect(port.check).not.toHaveBeenCalled();
    expect(connections[0]).toMatchObject({ liftExpiry: false });
    port.check.mockResolvedValue(refused);
    expect(await token(true)).toEqual({ ok: false, reason: 'refused' });
    await settled('refused');
    expect(port.refresh).not.toHaveBeenCalled();
  });

  it('has nothing to hand out without a credential', async () => {
    const { token, settled } = start(origin, {});
    await settled('needed');
    expect(await token()).toEqual({ ok: false, reason: 'none' });
  });

  it('keeps every token out of what can be seen of its machine', async () => {
    const { token, settled, seen, begin, comeBack } = start(origin, stored);
    await settled('signed-in');
    await token();
    await begin();
    await comeBack('1'.repeat(43));
    await token(true);
    expect(seen()).toContain('signed-in');
    for (const secret of ['access-1', 'access-x', 'refresh-1', 'refresh-x', '1'.repeat(43)])
      expect(seen()).not.toContain(secret);
  });

  it('keeps every token out of the log for as long as it is in force', async () => {
    const { hidden, token, settled, save } = start(origin, stored);
    await settled('signed-in');
    await token();
    expect([...hidden].toSorted()).toEqual(['access-1', 'refresh-1']);
    save({ ha_url: 'http://192.168.1.21:8123' });
    await settled('needed');
    expect([...hidden]).toEqual([]);
  });
});

describe('attempts', () => {
  it('end in a stored credential, used at once and revoked when it is replaced', async () => {
    const { begin, comeBack, settled, token, port, secrets, facts } = start(origin, { ...stored });
    await settled('signed-in');
    const begun = await begin();
    expect(begun).toMatchObject({ status: 'started', expiresAt: 1000 + ATTEMPT_MS });
    const url = new URL(begun.status === 'started' ? begun.authorizationUrl : '');
    expect(url.origin + url.pathname).toBe(`${origin}/auth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: `${panel}/`,
      redirect_uri: `${panel}/api/v1/ha/oauth/callback`,
      state: '1'.repeat(43),
      code_challenge: 'ch',
      code_challenge_method: 'S256',
    });
    const revision = facts().revision;
    expect(await comeBack('1'.repeat(43))).toBe('signed-in');
    expect(port.exchange).toHaveBeenCalledWith(
      origin,
      { code: 'c', clientId: `${panel}/`, verifier: 'v' },
      expect.anything(),
    );
    expect(secrets()).toEqual({ ha_oauth: storedCredential({ ...oauth, refreshToken: 'refresh-x' }) });
    expect(await token()).toMatchObject({ token: 'access-x' });
    expect(port.revoke).toHaveBeenCalledWith(origin, 'refresh-1');
    expect(facts().revision).toBeGreaterThan(revision);
    expect(await comeBack('1'.repeat(43)), 'a second time').toBe('invalid');
    expect(port.exchange).toHaveBeenCalledTimes(1);
  });

  it('give way to the newest', async () => {
    const { begin, comeBack, settled } = start(origin, {});
    await settled('needed');
    await begin();
    await begin();
    expect(await comeBack('1'.repeat(43))).toBe('invalid');
    expect(await comeBack('2'.repeat(43))).toBe('signed-in');
  });

  it('outlive the address that they save themselves', async () => {
    for (const address of ['', 'http://192.168.1.21:8123']) {
      const { stop, begin, comeBack, settled } = start(address, {});
      await settled(address === '' ? 'no-address' : 'needed');
      expect(await begin(panel, origin)).toMatchObject({ status: 'started' });
      await settled('pending');
      expect(await comeBack('1'.repeat(43)), address).toBe('signed-in');
      stop();
    }
  });

  it('cost nothing where they cannot be begun', async () => {
    const { begin, settled, secrets, facts, port } = start(origin, stored);
    await settled('signed-in');
    expect(await begin(panel, 'http://127.0.0.1:8123')).toMatchObject({
      status: 'refused',
      code: 'address-loops-back',
    });
    expect(await begin('http://100.64.0.9:8888', 'http://192.168.1.21:8123')).toMatchObject({
      status: 'refused',
      code: 'origin-refused-by-platform',
    });
    expect(secrets()).toEqual(stored);
    expect(facts().phase).toBe('signed-in');
    expect(port.revoke).not.toHaveBeenCalled();
  });

  it('are not begun, and save nothing, where the panel finds no Home Assistant', async () => {
    const { begin, settled, look, publish, registry, facts, comeBack } = start(origin, {});
    await settled('needed');
    look.mockResolvedValue({ status: 'failed', error: 'unreachable', code: 'ECONNREFUSED' });
    const address = 'http://192.168.1.21:18999';
    expect(await begin(panel, address)).toEqual({
      status: 'refused',
      code: 'bad-address',
      message: 'Nothing listens on port 18999 there. Check the port, usually 8123, and that Home Assistant runs.',
    });
    expect(look).toHaveBeenLastCalledWith({ origin: address, isSaved: false }, expect.any(AbortSignal), 3000);
    publish();
    expect(registry.read('settings')).toMatchObject({ context: { values: { ha_url: origin } } });
    expect(facts()).toMatchObject({ phase: 'needed', attemptUntil: null });
    look.mockResolvedValue({ status: 'answered' });
    expect(await begin()).toMatchObject({ status: 'started' });
    expect(look).toHaveBeenLastCalledWith({ origin, isSaved: true }, expect.any(AbortSignal), 3000);
    expect(await comeBack('1'.repeat(43))).toBe('signed-in');
  });

  it('are begun without a word on what answers at the panel itself', async () => {
    const { begin, settled, look } = start(origin, {});
    await settled('needed');
    look.mockResolvedValue({ status: 'failed', error: 'local-address', code: 'local-address' });
    expect(await begin(panel, 'http://192.168.1.40:8123')).toMatchObject({ status: 'started' });
  });

  it('end the look of an older one, and hold up nothing else meanwhile', async () => {
    const { begin, settled, look, signOut } = start(origin, stored);
    await settled('signed-in');
    look.mockImplementationOnce(
      (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ status: 'failed', error: 'unreachable', code: 'aborted' })),
        ),
    );
    const older = begin();
    await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1));
    expect(await signOut()).toEqual({ status: 'signed-out' });
    expect(await begin()).toMatchObject({ status: 'started' });
    expect(await older).toMatchObject({ status: 'refused', code: 'probe-replaced' });
  });

  it('stay open for the right callback after one that was refused', async () => {
    const { begin, comeBack, settled, facts } = start(origin, {});
    await settled('needed');
    await begin();
    const state = '1'.repeat(43);
    expect(await comeBack(state, { panelOrigin: 'http://localhost:8888' })).toBe('wrong-origin');
    expect(await comeBack(state, { code: null })).toBe('invalid-code');
    expect(await comeBack('2'.repeat(43))).toBe('invalid');
    expect(facts()).toMatchObject({ attemptOpen: true });
    expect(await comeBack(state)).toBe('signed-in');
    expect(await comeBack(state)).toBe('invalid');
  });

  it('end where the panel’s own browser began them and left the login, and go on where a phone did', async () => {
    const { begin, leave, comeBack, settled, facts } = start(origin, {});
    await settled('needed');
    await begin('http://127.0.0.1:8888', null, true);
    expect(facts()).toMatchObject({ phase: 'pending', attemptUntil: 601_000 });
    leave();
    await settled('needed');
    expect(facts()).toMatchObject({ attemptOpen: false, attemptUntil: null, lastOutcome: null });
    expect(await comeBack('1'.repeat(43), { panelOrigin: 'http://127.0.0.1:8888' })).toBe('invalid');
    leave();
    await begin();
    leave();
    expect(await comeBack('2'.repeat(43))).toBe('signed-in');
  });

  it('are used up by what comes back otherwise', async () => {
    const { begin, comeBack, settled, pass, port, facts } = start(origin, {});
    await settled('needed');
    await begin();
    expect(await comeBack('1'.repeat(43), { error: 'access_denied', code: null })).toBe('cancelled');
    expect(facts()).toMatchObject({ phase: 'needed', attemptOpen: false, lastOutcome: 'cancelled' });
    expect(await comeBack('1'.repeat(43))).toBe('invalid');
    await begin();
    expect(await comeBack('2'.repeat(43), { error: 'access_denied', code: null })).toBe('cancelled');
    await begin();
    pass(ATTEMPT_MS);
    expect(await comeBack('3'.repeat(43))).toBe('expired');
    await begin();
    port.exchange.mockResolvedValue(refused);
    expect(await comeBack('4'.repeat(43))).toBe('rejected');
    await begin();
    port.exchange.mockResolvedValue(unreachable);
    expect(await comeBack('5'.repeat(43))).toBe('unreachable');
    await settled('needed');
    await begin();
    port.exchange.mockResolvedValue({ ...unreachable, code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    expect(await comeBack('6'.repeat(43))).toBe('certificate-untrusted');
    await settled('needed');
    expect(facts()).toMatchObject({ lastOutcome: 'certificate-untrusted', failure: 'certificate-untrusted' });
  });

  it('take their credential back when it cannot be kept', async () => {
    const { begin, comeBack, settled, fail, port, secrets, save } = start(origin, {});
    await settled('needed');
    await begin();
    fail(true);
    expect(await comeBack('1'.repeat(43))).toBe('commit-failed');
    fail(false);
    expect(port.revoke).toHaveBeenCalledWith(origin, 'refresh-x');
    await begin();
    port.exchange.mockImplementation(async () => {
      save({ ha_url: 'http://192.168.1.21:8123' });
      return grant('access-y', 'refresh-y');
    });
    expect(await comeBack('2'.repeat(43))).toBe('stale');
    expect(port.revoke).toHaveBeenCalledWith(origin, 'refresh-y');
    expect(secrets()).toEqual({});
  });

  it('are not begun where they would fail', async () => {
    const { begin, settled, save } = start('', {});
    await settled('no-address');
    expect(await begin()).toMatchObject({ status: 'refused', code: 'no-address' });
    expect(await begin(panel, 'ftp://x')).toMatchObject({ status: 'refused', code: 'bad-address' });
    expect(await begin('http://100.64.0.9:8888', origin)).toMatchObject({
      status: 'refused',
      code: 'origin-refused-by-platform',
    });
    expect(await begin(panel, `${origin}/lovelace`)).toMatchObject({ status: 'started' });
    save({ ha_url: 'http://127.0.0.1:8123' });
    expect(await begin()).toMatchObject({ status: 'refused', code: 'address-loops-back' });
  });
});

describe('a credential that is no longer meant', () => {
  it('is revoked at the old Home Assistant when the address changes', async () => {
    const { save, settled, port, token, facts } = start(origin, stored);
    await settled('signed-in');
    const { revision } = facts();
    save({ ha_url: 'http://192.168.1.21:8123' });
    await settled('needed');
    expect(port.revoke).toHaveBeenCalledWith(origin, 'refresh-1');
    expect(facts()).toMatchObject({ method: null, revision: revision + 1 });
    expect(await token()).toEqual({ ok: false, reason: 'none' });
  });

  it('is not taken for gone while the settings restart', async () => {
    const { registry, publish, settled, save, port, facts, token } = start(origin, stored);
    await settled('signed-in');
    const restarting = [undefined, { values: defaultConfiguration.values, secrets: {}, revision: 0 }];
    for (const [index, settings] of restarting.entries()) {
      // What is stored is read, and the settings are gone when it has been.
      save({ dashboard_zoom: 110 + 10 * index });
      registry.put('settings', settings);
      await new Promise(setImmediate);
      publish();
      await new Promise(setImmediate);
    }
    expect(port.revoke).not.toHaveBeenCalled();
    expect(facts().phase).toBe('signed-in');
    expect(await token()).toMatchObject({ ok: true });
  });

  it('gives way to a token of the same save', async () => {
    const { save, settled, port, token, facts } = start(origin, stored);
    await settled('signed-in');
    save({ ha_url: 'http://192.168.1.21:8123', ha_token: 'long' });
    await vi.waitFor(() => expect(facts().method).toBe('long-lived'));
    expect(port.revoke).toHaveBeenCalledWith(origin, 'refresh-1');
    expect(await token()).toMatchObject({ token: 'long', origin: 'http://192.168.1.21:8123' });
  });

  it('is removed when a token is entered by hand, or the owner signs out', async () => {
    const { save, settled, signOut, facts, secrets, port } = start(origin, stored);
    await settled('signed-in');
    save({ ha_token: 'long' });
    await vi.waitFor(() => expect(secrets()).toEqual({ ha_token: 'long' }));
    expect(port.revoke).toHaveBeenCalledWith(origin, 'refresh-1');
    expect(await signOut()).toEqual({ status: 'signed-out' });
    expect(secrets()).toEqual({});
    expect(facts()).toMatchObject({ phase: 'needed', method: null });
  });

  it('is forgotten as part of a job that holds the settings', async () => {
    const { settled, signOut, tokens } = start(origin, stored);
    await settled('signed-in');
    expect(await signOut('job')).toEqual({ status: 'signed-out' });
    expect(tokens.at(-1)).toBe('job');
    await signOut();
    expect(tokens.at(-1)).toBeUndefined();
  });

  it('stays while another job holds the settings', async () => {
    const { settled, signOut, beBusy, secrets } = start(origin, stored);
    await settled('signed-in');
    beBusy(true);
    expect(await signOut()).toEqual({ status: 'busy' });
    expect(secrets()).toEqual(stored);
  });

  it('stays when the disk refuses to forget it', async () => {
    const { settled, signOut, fail, facts, secrets } = start(origin, stored);
    await settled('signed-in');
    fail(true);
    expect(await signOut()).toEqual({ status: 'commit-failed' });
    expect(facts().phase).toBe('signed-in');
    expect(secrets()).toEqual(stored);
  });
});

describe('the part in the tree', () => {
  it('is permanent and stops immediately', () => {
    const shared = {
      port: {} as HomeAssistantPort,
      now: () => 0,
      elapsed: () => 0,
      protect: () => () => {},
    };
    const spec = signInSpec({
      ...shared,
      registry: fakeRegistry({}),
      random: () => 0,
      look: async () => ({ status: 'answered' }),
      tokens: (held) => accessTokens({ ...shared, held }),
    });
    expect(spec).toMatchObject({ id: 'sign-in', restart: 'permanent' });
    expect(spec.stop).toBeUndefined();
  });
});

describe('the vault', () => {
  it('reads nothing any more once it has crashed', async () => {
    const read = vi.fn(() => Promise.reject(new Error('unforeseen')));
    const vault = runDriver<VaultCommand, VaultFact>(
      signInVault({
        store: { address: () => null, read, save: () => Promise.resolve({ status: 'kept' }) },
        // Nothing is asked of Home Assistant here.
        port: {} as HomeAssistantPort,
        look: async () => ({ status: 'answered' }),
        now: () => 0,
        elapsed: () => 0,
        protect: () => () => {},
        hold: () => {},
      }),
    );
    vault.tell({ type: 'vault.read' });
    vault.tell({ type: 'vault.read' });
    await vi.waitUntil(() => vault.crashed());
    await vault.settled();
    expect(read).toHaveBeenCalledTimes(1);
  });
});
