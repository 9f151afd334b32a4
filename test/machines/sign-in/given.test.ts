import { createActor, type EventObject, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { TokensCommand, VaultCommand } from '#machines/sign-in/events.ts';
import type { SignInMachineEvent } from '#machines/sign-in/facts.ts';
import { signInMachine } from '#machines/sign-in/machine.ts';
import { passwordEnds } from '#machines/sign-in/password.ts';
import { judgeSignIn } from '#machines/sign-in/verdict.ts';

function start() {
  const clock = new SimulatedClock();
  const commands: VaultCommand[] = [];
  const idle = <T extends EventObject>() => fromDriver<T, undefined, never>(() => {});
  const actor = createActor(
    signInMachine.provide({
      actors: {
        vault: fromDriver<VaultCommand, undefined, never>(({ onEvent }) => {
          onEvent((command) => void commands.push(command));
        }),
        tokens: idle<TokensCommand>(),
        settings: idle(),
        doubts: idle(),
        look: idle(),
      },
    }),
    { clock },
  );
  actor.start();
  return {
    clock,
    seen: () => JSON.stringify(actor.getPersistedSnapshot()),
    hear: (...events: readonly SignInMachineEvent[]) => {
      for (const event of events) actor.send(event);
    },
    /** Commands of the vault since the last call. */
    commanded: () => commands.splice(0).map(({ type }) => type),
    facts: () => actor.getSnapshot().context,
    verdict: () => judgeSignIn(actor.getSnapshot().context),
  };
}

const held = { type: 'password.held', isStale: false } as const;
const noAddress = { type: 'credential.changed', hasAddress: false, method: null, at: 1 } as const;
const needed = { ...noAddress, hasAddress: true } as const;
const signedIn = { ...needed, method: 'oauth' } as const;
const lost = (sent: boolean, code = 'ECONNREFUSED') => ({ type: 'password.unreachable', sent, code, at: 2 }) as const;
const ended = (outcome: (typeof passwordEnds)[number] | 'signed-in') =>
  ({ type: 'password.ended', outcome, at: 3 }) as const;

describe('a password that was handed over', () => {
  it('goes to the vault and into no context', () => {
    const { hear, commanded, seen } = start();
    hear({
      type: 'sign-in.by-password',
      homeAssistant: 'http://h',
      username: 'u',
      password: 'hunter2',
      panelOrigin: 'http://p',
    });
    expect(commanded()).toEqual(['sign-in.by-password']);
    expect(seen()).not.toContain('hunter2');
  });

  it.each([
    ['where one is needed already', [needed, held]],
    ['as soon as it is known that one is needed', [held, needed]],
    ['as soon as there is an address', [noAddress, held, needed]],
  ] as const)('is tried %s', (_, events) => {
    const { hear, commanded, facts, verdict } = start();
    hear(...events);
    expect(commanded()).toEqual(['password.try']);
    expect(facts()).toMatchObject({ phase: 'needed', password: 'trying' });
    expect(verdict()).toMatchObject({ state: 'checking', reason: 'signing-in' });
  });

  it('waits for an address for as long as it takes', () => {
    const { hear, commanded, facts, clock, verdict } = start();
    hear(noAddress, held);
    clock.increment(86_400_000);
    expect(commanded()).toEqual([]);
    expect(facts().password).toBe('held');
    expect(verdict().reason).toBe('no-address');
  });

  it.each([
    ['before it came', [signedIn, held]],
    ['with a credential that is refused', [signedIn, { type: 'token.refused', at: 2 }, held]],
    ['while it waits', [held, signedIn]],
  ] as const)('is forgotten untried with a sign-in %s', (_, events) => {
    const { hear, commanded, facts } = start();
    hear(...events);
    expect(commanded().filter((type) => type.startsWith('password'))).toEqual(['password.forget']);
    expect(facts().password).toBe('none');
    // Signing out does not bring it back.
    hear(needed);
    expect(commanded()).toEqual([]);
  });

  it('signs in, and is not tried when that sign-in ends', () => {
    const { hear, commanded, facts } = start();
    hear(needed, held, ended('signed-in'), signedIn);
    expect(facts()).toMatchObject({ phase: 'signed-in', password: 'none', lastOutcome: 'signed-in' });
    commanded();
    hear(needed, signedIn, needed);
    expect(commanded()).toEqual([]);
  });

  it.each(passwordEnds)('that ended as %s is said and never tried again', (end) => {
    const { hear, commanded, facts, clock, verdict } = start();
    hear(needed, held, ended(end));
    commanded();
    clock.increment(86_400_000);
    hear(needed, { type: 'settings.changed' });
    expect(commanded()).toEqual(['vault.read']);
    expect(facts().password).toBe(end);
    expect(verdict()).toMatchObject({ state: 'needs_you', reason: end, missing: expect.any(String) });
    hear(signedIn);
    expect(verdict().reason).toBe('signing-in');
  });

  it('is tried again after 1, 2 and 4 s, and then each 30 s, while Home Assistant is not reached', () => {
    const { hear, commanded, facts, clock, verdict } = start();
    hear(needed, held);
    expect(commanded()).toEqual(['password.try']);
    for (const waitMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      hear(lost(false));
      expect(facts()).toMatchObject({ password: 'unreachable', failure: null });
      clock.increment(waitMs - 1);
      expect(commanded()).toEqual([]);
      clock.increment(1);
      expect(commanded()).toEqual(['password.try']);
      expect(verdict()).toMatchObject({ state: 'needs_you', reason: 'password-unreachable' });
    }
  });

  it('is sent three times at most to a Home Assistant that does not answer it', () => {
    const { hear, commanded, facts, clock } = start();
    hear(needed, held);
    for (const sent of [true, false, true]) {
      hear(lost(sent));
      clock.increment(30_000);
    }
    expect(commanded()).toEqual(['password.try', 'password.try', 'password.try', 'password.try']);
    hear(lost(true));
    clock.increment(86_400_000);
    expect(commanded()).toEqual(['password.forget']);
    expect(facts().password).toBe('password-unanswered');
  });

  it('stops being tried when a person signs in meanwhile', () => {
    const { hear, commanded, facts, clock } = start();
    hear(needed, held, lost(false), signedIn);
    expect(commanded()).toEqual(['password.try', 'password.forget']);
    clock.increment(86_400_000);
    expect(commanded()).toEqual([]);
    expect(facts().password).toBe('none');
  });

  it('says which certificate is in its way, until it is not', () => {
    const { hear, facts, verdict } = start();
    hear(needed, held, lost(false, 'DEPTH_ZERO_SELF_SIGNED_CERT'));
    expect(verdict()).toMatchObject({ state: 'needs_you', reason: 'certificate-untrusted' });
    expect(verdict().detail).toContain('tries again by itself');
    hear(ended('password-refused'));
    expect(facts().failure).toBeNull();
  });

  it('gives way to a newer one, with a count of its own', () => {
    const { hear, commanded, facts, clock } = start();
    hear(needed, held, lost(true), held);
    expect(commanded()).toEqual(['password.try', 'password.try']);
    expect(facts()).toMatchObject({ password: 'trying', passwordTries: 0, passwordSends: 0 });
    clock.increment(30_000);
    expect(commanded()).toEqual([]);
  });
});
