import { createActor, type EventObject, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ATTEMPT_MS, type TokensCommand, type VaultCommand } from '#machines/sign-in/events.ts';
import type { SignInMachineEvent } from '#machines/sign-in/facts.ts';
import { signInMachine } from '#machines/sign-in/machine.ts';

function start() {
  const clock = new SimulatedClock();
  const commands: (VaultCommand | TokensCommand)[] = [];
  const replies: unknown[] = [];
  const starts = { vault: 0, tokens: 0, settings: 0, doubts: 0, look: 0 };
  const crash = { vault: () => {}, tokens: () => {}, settings: () => {}, doubts: () => {}, look: () => {} };
  const driver = <T extends EventObject>(name: keyof typeof starts, take: (command: T) => void) =>
    fromDriver<T, undefined, never>(({ onEvent, guard }) => {
      starts[name] += 1;
      onEvent(take);
      crash[name] = guard(() => {
        throw new Error('marker');
      });
    });
  const note = (command: VaultCommand | TokensCommand): void => void commands.push(command);
  const actor = createActor(
    signInMachine.provide({
      actors: {
        vault: driver<VaultCommand>('vault', note),
        tokens: driver<TokensCommand>('tokens', note),
        settings: driver('settings', () => {}),
        doubts: driver('doubts', () => {}),
        look: driver('look', () => {}),
      },
    }),
    { clock },
  );
  actor.on('reply', (reply) => void replies.push(reply));
  actor.start();
  return {
    actor,
    clock,
    commands,
    replies,
    starts,
    crash,
    hear: (...events: readonly SignInMachineEvent[]) => {
      for (const event of events) actor.send(event);
    },
    /** Commands of the drivers since the last call. */
    commanded: () => commands.splice(0).map(({ type }) => type),
    facts: () => actor.getSnapshot().context,
  };
}
type Rig = ReturnType<typeof start>;

const signedIn = { type: 'credential.changed', hasAddress: true, method: 'oauth', at: 1 } as const;
const byToken = { ...signedIn, method: 'long-lived' } as const;
const signedOut = { ...signedIn, method: null } as const;
const ready = { type: 'token.ready', leftMs: 1_800_000, at: 2 } as const;
const unreachable = { type: 'token.unreachable', leftMs: null, code: 'ECONNREFUSED', at: 3 } as const;
const inNeed = { ...unreachable, leftMs: 30_000 } as const;
const refused = { type: 'token.refused', at: 4 } as const;
const tokenless = { type: 'connection.asked', leftMs: null } as const;
const ended = (end: 'done' | 'refused' | 'unreachable' | 'closed', code: string | null = null) =>
  ({ type: 'connection.ended', end, code, at: 5 }) as const;
const asks = (requestId: string, force = false) => ({ type: 'sign-in.token', requestId, force }) as const;
const asked = (requestId: string, leftMs: number | null, force = false) =>
  ({ type: 'token.asked', requestId, force, leftMs }) as const;

/** The state of the tokens in words: `refused.waiting`, or the states of renewal, schedule and connection. */
function stateOf({ actor }: Rig): string {
  const flat = (value: unknown): string =>
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, below]) => `${key}.${flat(below)}`)
          .join(' ')
      : String(value);
  const live = actor.getSnapshot().value;
  const credential =
    typeof live === 'object' ? (live as { readonly live?: { readonly credential: unknown } }).live : null;
  const value = credential?.credential;
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && !('held' in value)) return Object.keys(value).join(' ');
  const { held } = value as { readonly held: Readonly<Record<string, unknown>> };
  return 'refused' in held ? `refused.${flat(held['refused'])}` : flat(held['inForce']);
}

describe('the address, without a sign-in', () => {
  const failed = { status: 'failed', error: 'unreachable', code: 'ECONNREFUSED' } as const;

  it('is looked at at once, again 15 s after it failed, and 5 min after it answered', () => {
    const { clock, hear, starts, facts } = start();
    hear(signedOut);
    expect(starts.look).toBe(1);
    hear({ type: 'address.looked', outcome: failed, at: 8 });
    expect(facts()).toMatchObject({ phase: 'needed', reachable: false, failure: 'ECONNREFUSED', look: failed });
    clock.increment(14_999);
    expect(starts.look).toBe(1);
    clock.increment(1);
    expect(starts.look).toBe(2);
    hear({ type: 'address.looked', outcome: { status: 'answered' }, at: 9 });
    expect(facts()).toMatchObject({ reachable: true, failure: null });
    clock.increment(299_999);
    expect(starts.look).toBe(2);
    clock.increment(1);
    expect(starts.look).toBe(3);
  });

  it('is looked at anew when it is another one, and no more without one or after a sign-in', () => {
    const { clock, hear, starts, facts } = start();
    hear(signedOut, { type: 'address.looked', outcome: failed, at: 8 }, signedOut);
    expect([starts.look, facts().look]).toEqual([2, null]);
    hear({ ...signedOut, hasAddress: false });
    clock.increment(600_000);
    hear(signedOut, signedIn);
    clock.increment(600_000);
    expect([starts.look, facts().look]).toEqual([3, null]);
  });

  it('ends the part where its driver crashes', () => {
    const { actor, hear, crash } = start();
    hear(signedOut);
    crash.look();
    expect(actor.getSnapshot().value).toBe('failed');
  });
});

describe('the sign-in', () => {
  it('passes questions on and answers each once', () => {
    const { actor, commands, replies, hear } = start();
    hear(signedIn);
    commands.length = 0;
    actor.send({ type: 'sign-in.token', requestId: 'q', force: true });
    actor.send({ type: 'sign-in.sign-out', requestId: 'r' });
    expect(commands).toEqual([
      { type: 'token.ask', requestId: 'q', force: true },
      { type: 'sign-in.sign-out', requestId: 'r' },
      { type: 'attempt.drop' },
      { type: 'credential.remove', requestId: 'r' },
    ]);
    hear({ type: 'sign-in.answered', requestId: 'q', outcome: { ok: false, reason: 'none' } });
    expect(replies).toEqual([{ type: 'reply', requestId: 'q', outcome: { ok: false, reason: 'none' } }]);
  });

  it('goes from no address to signed in, raising the revision with each other credential', () => {
    const { hear, facts } = start();
    expect(facts()).toMatchObject({ phase: 'no-address', revision: 0 });
    hear({ type: 'credential.changed', hasAddress: true, method: null, at: 1 });
    expect(facts()).toMatchObject({ phase: 'needed', revision: 1, at: 1 });
    hear({ type: 'attempt.opened', until: 600_001 });
    expect(facts()).toMatchObject({ phase: 'pending', attemptUntil: 600_001 });
    hear({ type: 'attempt.returned' }, { type: 'attempt.closed', outcome: 'signed-in', at: 2 });
    hear({ type: 'credential.changed', hasAddress: true, method: 'oauth', at: 3 });
    expect(facts()).toMatchObject({
      phase: 'signed-in',
      method: 'oauth',
      reachable: null,
      lastOutcome: 'signed-in',
      attemptUntil: null,
      revision: 2,
    });
    hear({ ...ready, at: 4 });
    expect(facts()).toMatchObject({ reachable: true, at: 4 });
    hear({ type: 'user.read', displayName: 'Kim', administrator: false, at: 5 });
    expect(facts()).toMatchObject({ reachable: true, displayName: 'Kim', administrator: false, at: 5 });
    hear({ ...unreachable, at: 6 });
    expect(facts()).toMatchObject({ phase: 'signed-in', reachable: false, displayName: 'Kim' });
    hear({ type: 'token.refused', at: 7 });
    expect(facts()).toMatchObject({
      phase: 'refused',
      method: 'oauth',
      displayName: null,
      administrator: null,
      revision: 3,
    });
  });

  it('says why Home Assistant is not reached, until it is', () => {
    const { hear, facts } = start();
    hear(signedIn, { ...unreachable, code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    expect(facts()).toMatchObject({ reachable: false, failure: 'certificate-untrusted' });
    hear({ ...unreachable, code: 'ECONNREFUSED' });
    expect(facts()).toMatchObject({ reachable: false, failure: 'ECONNREFUSED' });
    hear(ready);
    expect(facts()).toMatchObject({ reachable: true, failure: null });
    hear(signedIn, tokenless, ready, ended('unreachable', 'CERT_HAS_EXPIRED'));
    expect(facts()).toMatchObject({ reachable: false, failure: 'certificate-expired' });
    hear({ ...signedIn, at: 9 });
    expect(facts()).toMatchObject({ reachable: null, failure: null });
  });

  it('keeps the certificate that an attempt failed at in sight, until another attempt or another address', () => {
    const { hear, facts } = start();
    const fail = { type: 'attempt.closed', outcome: 'certificate-untrusted', at: 2 } as const;
    hear(signedOut, { type: 'attempt.opened', until: 1 }, { type: 'attempt.returned' }, fail);
    expect(facts()).toMatchObject({ phase: 'needed', lastOutcome: 'certificate-untrusted', failure: fail.outcome });
    hear({ type: 'attempt.opened', until: 2 }, { type: 'attempt.closed', outcome: null, at: 3 });
    expect(facts().failure).toBe(fail.outcome);
    hear({ type: 'attempt.closed', outcome: 'cancelled', at: 4 });
    expect(facts().failure).toBeNull();
    hear(fail, signedOut);
    expect(facts()).toMatchObject({ phase: 'needed', failure: null });
  });

  it('leaves `reachable` to the connection while signed in', () => {
    const { hear, facts } = start();
    hear(signedIn, ready, { type: 'attempt.closed', outcome: 'certificate-untrusted', at: 2 });
    expect(facts()).toMatchObject({ phase: 'signed-in', reachable: true, failure: null });
  });

  it('ends an attempt after ten minutes, counted from the newest', () => {
    const { clock, hear, facts, starts } = start();
    hear({ type: 'credential.changed', hasAddress: true, method: null, at: 1 });
    hear({ type: 'attempt.opened', until: 1 });
    clock.increment(ATTEMPT_MS - 1);
    hear({ type: 'attempt.opened', until: 2 });
    clock.increment(ATTEMPT_MS - 1);
    expect(facts()).toMatchObject({ phase: 'pending', attemptUntil: 2 });
    clock.increment(1);
    expect(facts()).toMatchObject({ phase: 'needed', attemptUntil: null, lastOutcome: 'expired' });
    expect(starts.vault, 'the vault, which holds the attempt, was never started anew').toBe(1);
  });

  it('lets an attempt that came back end by its exchange, however long that takes', () => {
    const { clock, hear, facts } = start();
    hear(signedOut, { type: 'attempt.opened', until: 1 }, { type: 'attempt.returned' });
    clock.increment(ATTEMPT_MS);
    expect(facts()).toMatchObject({ phase: 'pending', attemptUntil: 1, lastOutcome: null });
    hear({ type: 'attempt.closed', outcome: 'rejected', at: 2 });
    expect(facts()).toMatchObject({ phase: 'needed', attemptUntil: null, lastOutcome: 'rejected' });
  });

  it('keeps the last outcome when an attempt is dropped without one', () => {
    const { hear, facts } = start();
    hear({ type: 'attempt.closed', outcome: 'cancelled', at: 1 });
    hear({ type: 'attempt.opened', until: 9 });
    hear({ type: 'attempt.closed', outcome: null, at: 2 });
    expect(facts()).toMatchObject({ lastOutcome: 'cancelled', attemptUntil: null });
  });

  it('reads what is stored with each change of the settings, and a second after it could not', () => {
    const { clock, hear, commanded } = start();
    hear({ type: 'settings.changed' });
    expect(commanded()).toEqual(['vault.read']);
    hear({ type: 'vault.unread' });
    clock.increment(999);
    expect(commanded()).toEqual([]);
    clock.increment(1);
    expect(commanded()).toEqual(['vault.read']);
    clock.increment(60_000);
    expect(commanded()).toEqual([]);
  });

  it.each(['vault', 'settings', 'tokens'] as const)('fails when its %s crashes', (name) => {
    const { actor, hear, crash } = start();
    hear(signedIn);
    crash[name]();
    expect(actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'sign-in-vault' },
    });
  });
});

const inForce = (renewal: string, schedule: string, connection: string): string =>
  `renewal.${renewal} schedule.${schedule} connection.${connection}`;

/** What happened before, in order; a number is so many milliseconds that pass. */
type Steps = readonly (SignInMachineEvent | number)[];

const connected: Steps = [signedIn, tokenless, ready];
const kept: Steps = [signedIn, { type: 'connection.asked', leftMs: 1_800_000 }];

describe('the tokens', () => {
  it.each<
    [name: string, before: Steps, step: SignInMachineEvent | number, after: string, commanded: readonly string[]]
  >([
    ['are none without a credential', [], signedOut, 'none', []],
    ['are asked for with a credential', [], signedIn, inForce('idle', 'unset', 'asking'), ['connection.ask']],
    ['are renewed for a connection', [signedIn], tokenless, inForce('renewing', 'unset', 'asking'), ['token.renew']],
    [
      'of long life need no renewal',
      [byToken],
      { type: 'connection.asked', leftMs: 9e9 },
      inForce('idle', 'unset', 'open'),
      ['connection.open'],
    ],
    ['are ready', [signedIn, tokenless], ready, inForce('idle', 'set', 'open'), ['connection.open', 'token.give']],
    ['are renewed in time', connected, 1_500_000, inForce('renewing', 'due', 'open'), ['token.renew']],
    ['rest until then', connected, 1_499_999, inForce('idle', 'set', 'open'), []],
    [
      'are tried again when nobody answers',
      [...connected, 1_500_000],
      unreachable,
      inForce('idle', 'set', 'open'),
      ['token.give'],
    ],
    ['after 30 s', [...connected, 1_500_000, unreachable], 30_000, inForce('renewing', 'due', 'open'), ['token.renew']],
    [
      'keep their own time when somebody asks in between',
      [...connected, asks('a', true), asked('a', 9e5, true)],
      unreachable,
      inForce('idle', 'set', 'open'),
      ['token.give'],
    ],
    [
      'are fresh for who asks',
      [...connected, asks('a')],
      asked('a', 300_000),
      inForce('idle', 'set', 'open'),
      ['token.give'],
    ],
    [
      'are renewed for who asks late',
      [...connected, asks('a')],
      asked('a', 299_999),
      inForce('renewing', 'set', 'open'),
      ['token.renew'],
    ],
    [
      'are renewed for who was refused',
      [...connected, asks('a', true)],
      asked('a', 9e5, true),
      inForce('renewing', 'set', 'open'),
      ['token.renew'],
    ],
    [
      'are renewed once for many',
      [...connected, asks('a', true), asked('a', 9e5, true), asks('b', true)],
      asked('b', 9e5, true),
      inForce('renewing', 'set', 'open'),
      [],
    ],
    [
      'wait a second for a connection',
      [signedIn, tokenless],
      unreachable,
      inForce('idle', 'unset', 'pausing'),
      ['token.give'],
    ],
    [
      'are asked for again then',
      [signedIn, tokenless, unreachable],
      1000,
      inForce('idle', 'unset', 'asking'),
      ['connection.ask'],
    ],
    [
      'serve a connection in need',
      [signedIn, tokenless],
      inNeed,
      inForce('idle', 'unset', 'open'),
      ['connection.open', 'token.give'],
    ],
    ['rest once it is known who is signed in', connected, ended('done'), inForce('idle', 'set', 'known'), []],
    [
      'are verified when another part doubts them',
      [...connected, ended('done')],
      { type: 'credential.doubted' },
      inForce('renewing', 'set', 'verifying'),
      ['token.renew'],
    ],
    [
      'of long life are verified then, too',
      [byToken, { type: 'connection.asked', leftMs: 9e9 }, ended('done')],
      { type: 'credential.doubted' },
      inForce('renewing', 'unset', 'verifying'),
      ['token.renew'],
    ],
    [
      'are verified when the connection ends early',
      connected,
      ended('closed'),
      inForce('renewing', 'set', 'verifying'),
      ['token.renew'],
    ],
    [
      'connect again once verified',
      [...connected, ended('closed')],
      ready,
      inForce('idle', 'set', 'pausing'),
      ['token.give'],
    ],
    [
      'connect again when nobody can verify',
      [...connected, ended('closed')],
      unreachable,
      inForce('idle', 'set', 'pausing'),
      ['token.give'],
    ],
    [
      'of long life are not verified',
      [byToken, { type: 'connection.asked', leftMs: 9e9 }],
      ended('closed'),
      inForce('idle', 'unset', 'pausing'),
      [],
    ],
    ['wait for who does not answer', connected, ended('unreachable'), inForce('idle', 'set', 'pausing'), []],
    [
      'are others after one was not taken',
      [...kept, ended('refused'), 1000],
      { type: 'connection.asked', leftMs: 9e5 },
      inForce('renewing', 'unset', 'asking'),
      ['token.renew'],
    ],
    [
      'are the same after silence',
      [...kept, ended('unreachable'), 1000],
      { type: 'connection.asked', leftMs: 9e5 },
      inForce('idle', 'unset', 'open'),
      ['connection.open'],
    ],
    ['are refused', [signedIn, tokenless], refused, 'refused.waiting', ['token.drop']],
    ['are refused while verified', [...connected, ended('closed')], refused, 'refused.waiting', ['token.drop']],
    [
      'of long life are refused by a connection',
      [byToken, { type: 'connection.asked', leftMs: 9e9 }],
      ended('refused'),
      'refused.waiting',
      ['token.drop'],
    ],
    ['are tried again after 300 s', [signedIn, tokenless, refused], 300_000, 'refused.retrying', ['token.renew']],
    ['are not before', [signedIn, tokenless, refused], 299_999, 'refused.waiting', []],
    [
      'of long life never are',
      [byToken, { type: 'connection.asked', leftMs: 9e9 }, ended('refused')],
      9e6,
      'refused.waiting',
      [],
    ],
    ['are refused again', [signedIn, tokenless, refused, 300_000], refused, 'refused.waiting', []],
    [
      'are still refused while nobody answers',
      [signedIn, tokenless, refused, 300_000],
      unreachable,
      'refused.waiting',
      [],
    ],
    [
      'are tried once more then',
      [signedIn, tokenless, refused, 300_000, unreachable],
      300_000,
      'refused.retrying',
      ['token.renew'],
    ],
    [
      'are taken again',
      [signedIn, tokenless, refused, 300_000],
      ready,
      inForce('idle', 'set', 'asking'),
      ['connection.ask'],
    ],
    ['of another credential begin anew', connected, signedIn, inForce('idle', 'unset', 'asking'), ['connection.ask']],
    ['are gone with their credential', connected, signedOut, 'none', []],
  ])('%s', (_, before, step, after, commanded) => {
    const rig = start();
    const take = (one: SignInMachineEvent | number): void => {
      if (typeof one === 'number') rig.clock.increment(one);
      else rig.hear(one);
    };
    for (const one of before) take(one);
    rig.commanded();
    take(step);
    expect(stateOf(rig)).toBe(after);
    expect(rig.commanded().toSorted()).toEqual(commanded.toSorted());
  });

  it('are opened a connection for ever later, at most each 30 s, until it is known who is signed in', () => {
    const { clock, hear, commanded } = start();
    const waits = (): number => {
      commanded();
      let waited = 0;
      while (commanded().length === 0) {
        clock.increment(1000);
        waited += 1000;
      }
      return waited;
    };
    const open = { type: 'connection.asked', leftMs: 9e5 } as const;
    hear(signedIn);
    const seen = [1, 2, 3, 4, 5, 6, 7].map(() => {
      hear(open, ended('unreachable'));
      return waits();
    });
    expect(seen).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    hear(open);
    hear(ended('done'), { type: 'credential.doubted' }, ready);
    expect(waits()).toBe(1000);
  });
});

describe('who asks for a token', () => {
  const answers = (rig: Rig): unknown => rig.replies;
  const reply = (requestId: string, reason: string): unknown => ({
    type: 'reply',
    requestId,
    outcome: { ok: false, reason },
  });

  it.each<[name: string, before: readonly SignInMachineEvent[], reason: string]>([
    ['before anything was read', [], 'unreachable'],
    ['without a credential', [signedOut], 'none'],
    ['with a refused one', [signedIn, tokenless, refused], 'refused'],
  ])('%s is told so', (_, before, reason) => {
    const rig = start();
    rig.hear(...before, asks('a'));
    expect(answers(rig)).toEqual([reply('a', reason)]);
  });

  it.each<[name: string, end: SignInMachineEvent, reason: string]>([
    ['refused', refused, 'refused'],
    ['not reached', unreachable, 'unreachable'],
    ['overtaken by another credential', signedIn, 'unreachable'],
    ['overtaken by the end of its credential', signedOut, 'unreachable'],
  ])('during a renewal that is %s is told so', (_, end, reason) => {
    const rig = start();
    rig.hear(signedIn, asks('a'), asked('a', null), asks('b', true), asked('b', null, true), end);
    expect(answers(rig)).toEqual([reply('a', reason), reply('b', reason)]);
    expect(rig.facts().waiting).toEqual([]);
  });

  it('gets what the renewal brings', () => {
    const { hear, commands, replies, facts } = start();
    hear(signedIn, asks('a'), asked('a', null), asks('b', true), asked('b', null, true), ready);
    expect(commands.filter(({ type }) => type === 'token.give')).toEqual([
      { type: 'token.give', requestIds: ['a', 'b'] },
    ]);
    expect(replies).toEqual([]);
    expect(facts().waiting).toEqual([]);
  });

  it('gets the old token where there is no other, but not the one that was refused', () => {
    const { hear, commands, replies } = start();
    hear(signedIn, ready, asks('a'), asked('a', 200_000), asks('b', true), asked('b', 200_000, true));
    hear({ ...unreachable, leftMs: 200_000 });
    expect(commands.filter(({ type }) => type === 'token.give').at(-1)).toEqual({
      type: 'token.give',
      requestIds: ['a'],
    });
    expect(replies).toEqual([reply('b', 'unreachable')]);
  });
});
