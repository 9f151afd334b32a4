import { createActor, type EventObject, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ATTEMPT_MS, type SignInEvent, type VaultCommand, type VaultFact } from '#machines/sign-in/events.ts';
import { replacedStart, unaddressedStart } from '#machines/sign-in/judge-start.ts';
import { signInMachine } from '#machines/sign-in/machine.ts';
import type { StepResult } from '#machines/sign-in/requests/steps.ts';

/** The sign-in with a vault that does nothing; the test sends its facts. */
function start() {
  const clock = new SimulatedClock();
  const commands: VaultCommand[] = [];
  const replies: unknown[] = [];
  const idle = <T extends EventObject>() => fromDriver<T, undefined, never>(() => {});
  const actor = createActor(
    signInMachine.provide({
      actors: {
        vault: fromDriver<VaultCommand, undefined, never>(({ onEvent }) => {
          onEvent((command) => void commands.push(command));
        }),
        tokens: idle(),
        settings: idle(),
        doubts: idle(),
        look: idle(),
      },
    }),
    { clock },
  );
  actor.on('reply', (reply) => void replies.push(reply.outcome));
  actor.start();
  const finish = (requestId: string, result: StepResult): void =>
    actor.send({ type: 'step.finished', requestId, result });
  return {
    clock,
    finish,
    send: (event: SignInEvent | VaultFact) => actor.send(event),
    take: (steps: readonly Step[], requestId: string) => {
      for (const step of steps) {
        if (typeof step === 'number') clock.increment(step);
        else finish(requestId, step);
      }
    },
    /** Commands of the vault since the last call. */
    commanded: () => commands.splice(0).map(({ type }) => type),
    replied: () => replies.splice(0),
    /** State of a request; `over` once it is removed. */
    stateOf: (requestId: string): unknown =>
      (actor.getSnapshot().children as Readonly<Record<string, typeof actor | undefined>>)[requestId]?.getSnapshot()
        .value ?? 'over',
    seen: () => JSON.stringify(actor.getPersistedSnapshot()),
    facts: () => actor.getSnapshot().context,
  };
}

/** The result of a step, or so many milliseconds that pass. */
type Step = StepResult | number;

const begin = {
  start: {
    type: 'sign-in.start',
    requestId: 'r',
    panelOrigin: 'http://secret-panel',
    haUrl: 'http://secret-home',
    onDevice: false,
    now: 1,
  },
  callback: {
    type: 'sign-in.callback',
    requestId: 'r',
    state: 'secret-state',
    code: 'secret-code',
    error: null,
    panelOrigin: 'http://secret-panel',
    now: 1,
  },
  'sign-out': { type: 'sign-in.sign-out', requestId: 'r' },
} as const satisfies Readonly<Record<string, SignInEvent>>;

const judged = (isAddressed: boolean, isNamed: boolean): StepResult => ({ type: 'start.judged', isAddressed, isNamed });
const refusal = { status: 'refused', code: 'bad-address', message: 'No.' } as const;
const refused: StepResult = { type: 'start.refused', refusal };
const link = { status: 'started', authorizationUrl: 'http://secret-link', expiresAt: 2 } as const;
const looked: StepResult = { type: 'start.looked' };
const saved: StepResult = { type: 'start.saved' };
const accepted: StepResult = { type: 'callback.accepted' };
const exchanged: StepResult = { type: 'code.exchanged' };
const kept: StepResult = { type: 'credential.kept', at: 5 };
const unkept = (status: 'refused' | 'commit-failed'): StepResult => ({ type: 'credential.unkept', status, at: 5 });
const lost = (code: string): StepResult => ({ type: 'code.unreachable', code, at: 5 });
const read: StepResult = { type: 'credential.read' };
const removed = (isKept: boolean): StepResult =>
  isKept ? { type: 'credential.removed' } : { type: 'credential.left', status: 'commit-failed' };

describe('a request', () => {
  it.each<
    [
      kind: keyof typeof begin,
      name: string,
      before: readonly Step[],
      step: Step,
      state: string,
      commanded: readonly string[],
      reply: unknown,
    ]
  >([
    ['start', 'looks at the address', [], judged(true, false), 'looking', ['start.look'], null],
    ['start', 'has an address saved that is none', [], judged(false, true), 'saving', ['start.save'], null],
    ['start', 'ends without an address', [], judged(false, false), 'over', ['request.forget'], unaddressedStart],
    ['start', 'ends as refused at once', [], refused, 'over', ['request.forget'], refusal],
    ['start', 'opens after the look', [judged(true, false)], looked, 'opening', ['start.open'], null],
    ['start', 'saves its address after the look', [judged(true, true)], looked, 'saving', ['start.save'], null],
    ['start', 'ends as refused by the look', [judged(true, true)], refused, 'over', ['request.forget'], refusal],
    ['start', 'opens after the save', [judged(true, true), looked], saved, 'opening', ['start.open'], null],
    [
      'start',
      'ends as refused by the save',
      [judged(true, true), looked],
      refused,
      'over',
      ['request.forget'],
      refusal,
    ],
    [
      'start',
      'ends once no address is saved',
      [judged(false, true)],
      saved,
      'over',
      ['request.forget'],
      unaddressedStart,
    ],
    [
      'start',
      'ends with its link',
      [judged(true, false), looked],
      { type: 'start.opened', outcome: link },
      'over',
      ['request.forget'],
      link,
    ],
    ['start', 'waits for its step alone', [judged(true, false)], 3_600_000, 'looking', [], null],

    ['callback', 'exchanges its code', [], accepted, 'exchanging', ['code.exchange'], null],
    ['callback', 'saves the credential', [accepted], exchanged, 'saving', ['credential.save'], null],
    ['callback', 'takes it up', [accepted, exchanged], kept, 'reading', ['credential.read'], null],
    [
      'callback',
      'ends as signed in',
      [accepted, exchanged, kept],
      read,
      'over',
      ['request.forget'],
      { outcome: 'signed-in' },
    ],
    [
      'callback',
      'ends as refused by Home Assistant',
      [accepted],
      { type: 'code.rejected', at: 5 },
      'over',
      ['request.forget'],
      { outcome: 'rejected' },
    ],
    ['callback', 'ends unanswered', [accepted], lost('X'), 'over', ['request.forget'], { outcome: 'unreachable' }],
    [
      'callback',
      'ends at a certificate',
      [accepted],
      lost('CERT_HAS_EXPIRED'),
      'over',
      ['request.forget'],
      { outcome: 'certificate-expired' },
    ],
    [
      'callback',
      'ends as stale',
      [accepted, exchanged],
      unkept('refused'),
      'over',
      ['request.forget'],
      { outcome: 'stale' },
    ],
    [
      'callback',
      'ends as not saved',
      [accepted, exchanged],
      unkept('commit-failed'),
      'over',
      ['request.forget'],
      { outcome: 'commit-failed' },
    ],

    ['sign-out', 'takes up what is left', [], removed(true), 'reading', ['credential.read'], null],
    [
      'sign-out',
      'ends where nothing could be removed',
      [],
      removed(false),
      'over',
      ['request.forget'],
      { status: 'commit-failed' },
    ],
    ['sign-out', 'ends', [removed(true)], read, 'over', ['request.forget'], { status: 'signed-out' }],
  ])('%s %s', (kind, _, before, step, state, commanded, reply) => {
    const rig = start();
    rig.send(begin[kind]);
    rig.take(before, 'r');
    rig.commanded();
    expect(rig.replied()).toEqual([]);
    rig.take([step], 'r');
    expect(rig.stateOf('r')).toBe(state);
    expect(rig.commanded()).toEqual(commanded);
    expect(rig.replied()).toEqual(reply === null ? [] : [reply]);
    expect(rig.facts().requests).toBe(state === 'over' ? 0 : 1);
    expect(rig.seen()).not.toContain('secret');
  });

  it.each([
    ['start', 'judging', ['sign-in.start']],
    ['callback', 'judging', ['sign-in.callback']],
    ['sign-out', 'removing', ['sign-in.sign-out', 'attempt.drop', 'credential.remove']],
  ] as const)('%s begins as %s and has the vault do %j', (kind, state, commanded) => {
    const rig = start();
    rig.send(begin[kind]);
    expect([rig.stateOf('r'), rig.commanded()]).toEqual([state, commanded]);
    expect(rig.seen()).not.toContain('secret');
  });

  it('runs beside others, each with its own steps', () => {
    const { send, finish, stateOf, commanded, replied } = start();
    send(begin.start);
    send({ ...begin.start, requestId: 'other' });
    send({ ...begin['sign-out'], requestId: 'third' });
    finish('r', judged(true, false));
    finish('other', judged(true, true));
    finish('other', looked);
    commanded();
    finish('r', { type: 'start.refused', refusal: replacedStart });
    expect(['r', 'other', 'third'].map(stateOf)).toEqual(['over', 'saving', 'removing']);
    expect(replied()).toEqual([replacedStart]);
    expect(commanded()).toEqual(['request.forget']);
  });

  it('is answered at once while 64 others are under way', () => {
    const { send, finish, replied, facts, commanded, stateOf } = start();
    for (let index = 0; index < 64; index += 1) send({ ...begin.start, requestId: `q${index}` });
    commanded();
    for (const event of Object.values(begin)) send(event);
    expect(replied()).toEqual([replacedStart, { outcome: 'unreachable' }, { status: 'commit-failed' }]);
    expect([facts().requests, commanded(), stateOf('r')]).toEqual([64, [], 'over']);
    finish('q0', refused);
    send(begin.start);
    expect(stateOf('r')).toBe('judging');
  });
});

describe('the attempt of a callback', () => {
  const opened = { type: 'attempt.opened', until: 9 } as const;
  const returned = { type: 'attempt.returned' } as const;
  const cancelled = { type: 'callback.refused', outcome: 'cancelled', keepsAttempt: false, at: 4 } as const;

  it('stays open where the right callback may still come', () => {
    const { send, finish, facts, replied } = start();
    send(opened);
    send(begin.callback);
    finish('r', { ...cancelled, outcome: 'wrong-origin', keepsAttempt: true });
    expect(facts()).toMatchObject({ attemptOpen: true, lastOutcome: null });
    expect(replied()).toEqual([{ outcome: 'wrong-origin' }]);
  });

  it.each<[string, readonly StepResult[]]>([
    ['cancelled', [cancelled]],
    ['rejected', [accepted, { type: 'code.rejected', at: 4 }]],
    ['signed-in', [accepted, exchanged, kept]],
    ['stale', [accepted, exchanged, unkept('refused')]],
  ])('is over as %s', (outcome, steps) => {
    const { send, take, facts } = start();
    send(opened);
    send(begin.callback);
    send(returned);
    take(steps, 'r');
    expect(facts()).toMatchObject({ attemptOpen: false, attemptUntil: null, lastOutcome: outcome });
  });

  it('is not the newer one that was opened meanwhile, which ends by its own time', () => {
    const { send, take, facts, clock, replied } = start();
    send(opened);
    send(begin.callback);
    send(returned);
    send({ ...opened, until: 99 });
    take([accepted, { type: 'code.rejected', at: 4 }], 'r');
    expect(replied()).toEqual([{ outcome: 'rejected' }]);
    expect(facts()).toMatchObject({ attemptOpen: true, attemptUntil: 99, lastOutcome: null });
    clock.increment(ATTEMPT_MS);
    expect(facts()).toMatchObject({ attemptOpen: false, lastOutcome: 'expired' });
  });
});

describe('an attempt with a password', () => {
  const needed = { type: 'credential.changed', hasAddress: true, method: null, at: 1 } as const;
  const held = { type: 'password.held', isStale: false } as const;
  const id = 'password-1';

  it.each<
    [name: string, before: readonly Step[], step: Step, state: string, commanded: readonly string[], password: string]
  >([
    ['exchanges its code', [], { type: 'password.taken' }, 'exchanging', ['code.exchange'], 'trying'],
    ['saves', [{ type: 'password.taken' }], exchanged, 'saving', ['credential.save'], 'trying'],
    [
      'is over with the save, and takes up the credential',
      [{ type: 'password.taken' }, exchanged],
      kept,
      'reading',
      ['password.forget', 'credential.read'],
      'none',
    ],
    ['ends', [{ type: 'password.taken' }, exchanged, kept], read, 'over', ['request.forget'], 'none'],
    [
      'ends as refused',
      [],
      { type: 'password.refused', outcome: 'password-refused', at: 4 },
      'over',
      ['password.forget', 'request.forget'],
      'password-refused',
    ],
    [
      'ends as rejected',
      [{ type: 'password.taken' }],
      { type: 'code.rejected', at: 4 },
      'over',
      ['password.forget', 'request.forget'],
      'password-rejected',
    ],
    [
      'ends as not saved',
      [{ type: 'password.taken' }, exchanged],
      unkept('commit-failed'),
      'over',
      ['password.forget', 'request.forget'],
      'password-not-kept',
    ],
    [
      'ends as stale',
      [{ type: 'password.taken' }, exchanged],
      unkept('refused'),
      'over',
      ['password.forget', 'request.forget'],
      'password-stale',
    ],
    [
      'is tried again where it was not reached',
      [],
      { type: 'password.lost', sent: false, code: 'X', at: 4 },
      'over',
      ['request.forget'],
      'unreachable',
    ],
    ['and where its code was not', [{ type: 'password.taken' }], lost('X'), 'over', ['request.forget'], 'unreachable'],
    ['ends without a word', [], { type: 'request.outdated' }, 'over', ['request.forget'], 'trying'],
  ])('%s', (_, before, step, state, commanded, password) => {
    const rig = start();
    rig.send(needed);
    rig.send(held);
    expect([rig.stateOf(id), rig.commanded()]).toEqual(['asking', ['password.try']]);
    rig.take(before, id);
    rig.commanded();
    rig.take([step], id);
    expect(rig.stateOf(id)).toBe(state);
    expect(rig.commanded()).toEqual(commanded);
    expect(rig.facts().password).toBe(password);
  });

  it('counts what Home Assistant may have received, and is made again after its pause', () => {
    const { send, finish, clock, facts, stateOf, commanded } = start();
    send(needed);
    send(held);
    finish(id, { type: 'password.taken' });
    finish(id, lost('X'));
    expect(facts()).toMatchObject({ passwordTries: 1, passwordSends: 1, requests: 0 });
    commanded();
    clock.increment(1000);
    expect([stateOf('password-2'), commanded()]).toEqual(['asking', ['password.try']]);
  });

  it('is not made for another address than the one set', () => {
    const { send, facts, commanded } = start();
    send(needed);
    send({ ...held, isStale: true });
    expect(commanded()).toEqual(['password.forget']);
    expect(facts().password).toBe('password-stale');
  });

  it('that a newer one overtook goes on by itself', () => {
    const { send, stateOf, finish, facts } = start();
    send(needed);
    send(held);
    send(held);
    finish(id, { type: 'request.outdated' });
    expect([stateOf(id), stateOf('password-2'), facts().requests]).toEqual(['over', 'asking', 1]);
  });
});
