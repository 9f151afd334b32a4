import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import {
  afterAttempt,
  afterHealth,
  afterSelection,
  afterSetback,
  type ActivationRecord,
  firstRecord,
  type ProfileRef,
} from '#machines/profile-catalog/activation.ts';
import type {
  CatalogCommand,
  CatalogFact,
  CatalogState,
  ProfilesEvent,
  ProfilesRequest,
  HealthFact,
} from '#machines/profile-catalog/events.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import { trialTimes } from '#machines/profile-catalog/health.ts';
import { catalogView } from '#machines/profile-catalog/catalog.ts';
import type { HealthFacts } from '#machines/profile-catalog/health.ts';
import { profileCatalogMachine } from '#machines/profile-catalog/machine.ts';
import { showCatalog } from '#machines/profile-catalog/show-catalog.ts';

const two: ProfileRef = { id: 'two', revision: 'b'.repeat(64) };
const well: HealthFacts = { http: true, base: true, screen: 'proven' };
const selected = afterSelection({ ...firstRecord, screenProven: true }, { mode: 'pinned', ...two }, 0);

function start(first: ActivationRecord, more: Partial<ProfilesBoot> = {}) {
  const clock = new SimulatedClock();
  const boot: ProfilesBoot = { active: two, commandLine: false, issues: [], startedAt: 0, ...more };
  const commands: CatalogCommand[] = [];
  let record = first;
  const state = (): CatalogState => ({
    record,
    catalog: catalogView({ record, boot, matched: null, revisions: [], unusable: [] }),
  });
  let see: (seen: HealthFacts) => void = () => undefined;
  let crash = (): void => {};
  let written = true;
  let busy = false;
  const actor = createActor(
    profileCatalogMachine.provide({
      actors: {
        store: fromDriver<CatalogCommand, undefined, CatalogFact>(({ send, onEvent, guard }) => {
          crash = guard(() => {
            throw new Error('broken');
          });
          onEvent((command) => {
            commands.push(command);
            if (command.type === 'catalog.load') send({ type: 'catalog.loaded', state: state(), at: clock.now() });
            if (command.type === 'catalog.close' && !busy) send({ type: 'catalog.closed' });
            if (command.type === 'catalog.prove' && written)
              record = afterHealth(record, two, command.screenProven, clock.now());
            if (command.type === 'catalog.take-back' && written)
              record = afterSetback(record, command.reason, clock.now());
            if (command.type === 'catalog.prove' || command.type === 'catalog.take-back')
              send({ type: 'catalog.noted', state: state(), written });
          });
        }),
        healthProbe: fromDriver<ProfilesEvent, undefined, HealthFact>(({ send }) => {
          see = (seen) => send({ type: 'health.probed', facts: seen, at: clock.now() });
        }),
      },
    }),
    { clock, input: { boot, times: trialTimes } },
  );
  actor.start();
  clock.increment(250);
  return {
    actor,
    clock,
    commands,
    see: (facts_: HealthFacts) => see(facts_),
    crash: () => crash(),
    refuse: () => void (written = false),
    /** It has something under way, and does not close before that is done. */
    linger: () => void (busy = true),
    context: () => actor.getSnapshot().context,
    value: () => actor.getSnapshot().value,
  };
}
const told = (commands: readonly CatalogCommand[]): readonly string[] => commands.map(({ type }) => type);

const questions: readonly ProfilesRequest[] = [
  { type: 'profiles.ask.preview', requestId: '1', ask: { kind: 'preview', bytes: new Uint8Array(), probe: false } },
  { type: 'profiles.ask.import', requestId: '2', ask: { kind: 'import', bytes: new Uint8Array(), token: 't' } },
  {
    type: 'profiles.ask.select',
    requestId: '3',
    ask: { kind: 'select', selection: { mode: 'auto' }, expected: 1, confirmsPlatform: false },
  },
  { type: 'profiles.ask.rollback', requestId: '4', ask: { kind: 'rollback', expected: 1 } },
  { type: 'profiles.ask.delete', requestId: '5', ask: { kind: 'delete', ref: two, expected: 1 } },
  { type: 'profiles.ask.document', requestId: '6', ask: { kind: 'document', wanted: { kind: 'schema' } } },
];

describe('a question', () => {
  it.each(questions)('$type is served by the store, and refused at once while that is to close', (question) => {
    const { actor, commands, linger, value } = start(firstRecord);
    const replies: unknown[] = [];
    actor.on('reply', (reply) => void replies.push(reply));
    actor.send(question);
    expect(commands.at(-1)).toEqual({ type: 'catalog.serve', requestId: question.requestId, ask: question.ask });
    linger();
    actor.send({ type: 'profiles.stop' });
    actor.send(question);
    expect(value()).toBe('stopping');
    expect(replies).toEqual([{ type: 'reply', requestId: question.requestId, outcome: { status: 'stopping' } }]);
    expect(told(commands)).toEqual(['catalog.load', 'catalog.serve', 'catalog.close']);
  });
});

describe('a trial', () => {
  it('tells how far it is: how long all that is awaited has held, of how long it has to', () => {
    const { clock, see, context } = start(afterAttempt(selected));
    const progress = () => showCatalog(context(), clock.now())?.trial;
    clock.increment(2750);
    expect(progress()).toEqual({ elapsed_ms: 3000, held_ms: 0, hold_ms: 30_000 });
    see(well);
    clock.increment(15_000);
    expect(progress()).toEqual({ elapsed_ms: 18_000, held_ms: 15_000, hold_ms: 30_000 });
    see({ ...well, http: false });
    clock.increment(1000);
    expect(progress()).toEqual({ elapsed_ms: 19_000, held_ms: 0, hold_ms: 30_000 });
    see(well);
    clock.increment(29_999);
    expect(progress()).toMatchObject({ held_ms: 29_999, hold_ms: 30_000 });
    clock.increment(1);
    expect(progress()).toBeNull();
  });

  it('has got nowhere while it waits for the restart, however well the profile before it is', () => {
    const { clock, see, context } = start(firstRecord);
    see(well);
    clock.increment(20_000);
    const { catalog } = context();
    const due = catalog && {
      ...catalog,
      activation: { state: 'trial' as const, since: 20_000, reason: 'restart-due', detail: null },
    };
    expect(showCatalog({ ...context(), catalog: due }, 20_300)?.trial).toMatchObject({ elapsed_ms: 300, held_ms: 0 });
  });

  it('is proved once everything has held for 30 seconds', () => {
    const { clock, commands, see, context } = start(afterAttempt(selected));
    expect(context().trial).toBe(true);
    see(well);
    clock.increment(29_999);
    expect(told(commands)).toEqual(['catalog.load']);
    clock.increment(1);
    expect(commands.at(-1)).toEqual({ type: 'catalog.prove', screenProven: true });
    expect(context()).toMatchObject({
      trial: false,
      restartDue: false,
      catalog: { activation: { state: 'active' }, last_known_good: two },
    });
    clock.increment(120_000);
    expect(context().restartDue).toBe(false);
  });
  it('begins to count anew after each break', () => {
    const { clock, commands, see } = start(afterAttempt(selected));
    see(well);
    clock.increment(20_000);
    see({ ...well, http: false });
    see(well);
    clock.increment(29_000);
    expect(told(commands)).toEqual(['catalog.load']);
    clock.increment(1000);
    expect(told(commands)).toEqual(['catalog.load', 'catalog.prove']);
  });
  it.each<[string, HealthFacts, string]>([
    ['a silent listener', { ...well, http: false }, 'http-silent'],
    ['a base that is down', { ...well, base: false }, 'base-down'],
    ['a lost screen', { ...well, screen: 'unproven' }, 'screen-not-proven'],
  ])('is taken back after a minute of %s, and the agent restarts', (_, facts, reason) => {
    const { clock, commands, see, context } = start(afterAttempt(selected));
    see(facts);
    clock.increment(59_749);
    expect(told(commands)).toEqual(['catalog.load']);
    clock.increment(1);
    expect(commands.at(-1)).toEqual({ type: 'catalog.take-back', reason });
    expect(context().catalog?.activation).toMatchObject({ state: 'rolled_back', reason });
    clock.increment(trialTimes.answerMs);
    expect(context().restartDue).toBe(true);
  });
  it('without a profile at all fails by its deadline', () => {
    const { clock, commands, see } = start(afterAttempt(selected), { active: null });
    see(well);
    clock.increment(60_000);
    expect(commands.at(-1)).toEqual({ type: 'catalog.take-back', reason: 'revision-invalid' });
  });
  it('that the disk does not keep as proved is not taken back, and told again', () => {
    const { clock, commands, see, refuse, context } = start(afterAttempt(selected));
    refuse();
    see(well);
    clock.increment(30_000);
    clock.increment(15_000);
    expect(told(commands)).toEqual(['catalog.load', 'catalog.prove', 'catalog.prove']);
    clock.increment(60_000);
    expect(context().restartDue).toBe(false);
  });
});

describe('a selection', () => {
  const answered = (restart: boolean): CatalogFact => ({
    type: 'catalog.answered',
    requestId: 'r',
    outcome: null,
    state: null,
    restart,
  });
  it('is answered, and the restart follows a moment later', () => {
    const { actor, clock, context } = start(firstRecord);
    const replies: string[] = [];
    actor.on('reply', ({ requestId }) => void replies.push(requestId));
    actor.send(answered(true));
    expect([replies, context().restartDue]).toEqual([['r'], false]);
    clock.increment(trialTimes.answerMs);
    expect(context().restartDue).toBe(true);
  });
  it('that an earlier instance wrote down is owed its restart', () => {
    const { clock, context } = start(selected);
    clock.increment(trialTimes.answerMs);
    expect(context().restartDue).toBe(true);
  });
  it.each<[string, Partial<ProfilesBoot>]>([
    ['the command line', { commandLine: true }],
    ['a disk that counts nothing', { issues: ['record-not-written'] }],
  ])('owes none under %s', (_, more) => {
    const { clock, context } = start(selected, more);
    clock.increment(120_000);
    expect(context().restartDue).toBe(false);
  });
});

describe('the stop', () => {
  it('gives a write that is under way the time that an SD card takes for it, and hands its answer over', () => {
    const { actor, clock, linger } = start(firstRecord);
    const replies: string[] = [];
    actor.on('reply', ({ requestId }) => void replies.push(requestId));
    linger();
    actor.send({ type: 'profiles.stop' });
    clock.increment(240);
    actor.send({ type: 'catalog.answered', requestId: 'r', outcome: null, state: null, restart: false });
    expect([replies, actor.getSnapshot().value]).toEqual([['r'], 'stopping']);
    actor.send({ type: 'catalog.closed' });
    expect(actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });
  it('waits for none that hangs', () => {
    const { actor, clock, linger } = start(firstRecord);
    linger();
    actor.send({ type: 'profiles.stop' });
    clock.increment(250);
    expect(actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });
});

describe('the rest of its life', () => {
  it('proves a start without a trial too, and never takes that back', () => {
    const { clock, commands, see, context } = start(firstRecord);
    see({ ...well, http: false });
    clock.increment(600_000);
    expect(told(commands)).toEqual(['catalog.load']);
    see({ ...well, screen: 'absent' });
    clock.increment(30_000);
    expect(commands.at(-1)).toEqual({ type: 'catalog.prove', screenProven: false });
    expect(context().catalog?.last_known_good).toEqual(two);
  });
  it('asks nothing of a start that the command line rules', () => {
    const { clock, commands } = start(firstRecord, { commandLine: true });
    clock.increment(120_000);
    expect(told(commands)).toEqual(['catalog.load']);
  });
  it('proves nothing with a start that the disk did not take down: the trial that stands there is not its own', () => {
    const { clock, commands, see, context } = start(afterAttempt(selected), { issues: ['record-not-written'] });
    expect(context().trial).toBe(false);
    see(well);
    clock.increment(120_000);
    expect(told(commands)).toEqual(['catalog.load']);
  });
  it('stops when asked, and fails when its store does', () => {
    const stopping = start(firstRecord);
    stopping.actor.send({ type: 'profiles.stop' });
    expect(stopping.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
    const failing = start(firstRecord);
    failing.crash();
    expect(failing.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'profiles-store' });
  });
});
