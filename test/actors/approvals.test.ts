import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { approvalsSpec } from '#actors/approvals.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import { UNTOUCHED_MS } from '#machines/approvals/attention.ts';
import type {
  ApprovalRequest,
  ControlCommand,
  ControlFact,
  ExposureCommand,
  ExposureFact,
  ModeCommand,
  ModeFact,
  QuestionCommand,
  QuestionFact,
} from '#machines/approvals/events.ts';
import type { ApprovalsFacts } from '#machines/approvals/facts.ts';
import { fakeDriver } from '../fakes/fake-driver.ts';
import { fakeRegistry } from '../fakes/registry.ts';

const request: ApprovalRequest = {
  candidate: 'a'.repeat(32),
  operation: 'REMOTE_MEDIA',
  what: '',
  peer: '192.0.2.7',
  digest: 'b',
  effect: null,
  at: 0,
};

/** The part of a simulated panel in Hardened mode, over these facts of others. */
function panel(contexts: Readonly<Record<string, unknown>> = {}) {
  const registry = fakeRegistry(contexts);
  const clock = new SimulatedClock();
  const spec = approvalsSpec({
    registry,
    now: () => 7,
    elapsed: () => clock.now(),
    modeFile: fakeDriver<ModeCommand, ModeFact>({ type: 'mode.read', mode: 'hardened', unreadable: false }).logic,
    question: fakeDriver<QuestionCommand, QuestionFact>().logic,
    exposure: fakeDriver<ExposureCommand, ExposureFact>().logic,
    control: fakeDriver<ControlCommand, ControlFact>().logic,
    simulated: true,
    android: false,
  });
  const actor = createActor(spec.logic, { clock, input: spec.input?.() }).start();
  // The logic of this spec is the machine of the approvals.
  const facts = (): ApprovalsFacts => (actor.getSnapshot() as { context: ApprovalsFacts }).context;
  return {
    registry,
    clock,
    facts,
    told: () => registry.told.map(({ id, event }) => ({ id, ...event })),
    ask: (more: Partial<ApprovalRequest> = {}) =>
      actor.send({ type: 'approval.request', requestId: 'r', request: { ...request, ...more, at: clock.now() } }),
    hold: () => {
      actor.send({ type: 'approval.answer', id: request.candidate, answer: 'hold', at: clock.now() });
      actor.send({ type: 'exposure.seen', findings: [], at: clock.now() });
    },
  };
}

describe('what surrounds a question', () => {
  it('a dark screen is lit, and dark again after a question that was left untouched', () => {
    const { ask, clock, told, registry } = panel({ screen: { lit: false }, screen_2: { lit: null } });
    ask();
    const set = { id: 'screen', type: 'screen.set', origin: 'approvals' } as const;
    expect(told()).toEqual([{ ...set, on: true }]);
    registry.put('screen', { lit: true });
    clock.increment(UNTOUCHED_MS);
    expect(told().at(-1)).toEqual({ ...set, on: false });
  });

  it('a screen that was lit stays as it is', () => {
    const { ask, clock, told } = panel({ screen: { lit: true } });
    ask();
    clock.increment(UNTOUCHED_MS);
    expect(told()).toEqual([]);
  });

  it.each([
    ['idle', 1],
    ['failed', 1],
    ['playing', 0],
    ['downloading', 0],
  ])('it sounds unless an announcement is under way: %s', (phase, sounds) => {
    const { ask, told } = panel({ announcer: { phase } });
    ask();
    expect(told()).toHaveLength(sounds);
    if (sounds > 0) expect(told()).toEqual([{ id: 'announcer', type: 'announcement.test', at: 7 }]);
  });

  it('a screen is taken for lit where none can be read', () => {
    expect(panel({ screen: { lit: null } }).facts().litSince).toBe(0);
    expect(panel({ screen: { lit: false }, screen_2: { lit: null } }).facts().litSince).toBe(null);
    expect(panel({ screen: { lit: false }, screen_2: { lit: true } }).facts().litSince).toBe(0);
  });
});

describe('what an approval carries out', () => {
  const effect = { do: 'settings', patch: { outside: true } } as const;
  it.each<[string, AskOutcome<unknown>, object]>([
    ['saved', { ok: true, value: { status: 'saved' } }, { outcome: 'approved', message: 'It is done.' }],
    [
      'refused',
      { ok: true, value: { status: 'refused', reasons: { outside: 'Not here.' } } },
      { outcome: 'failed', message: 'Not here.' },
    ],
    [
      'not written',
      { ok: true, value: { status: 'commit-failed', reason: 'ENOSPC' } },
      { outcome: 'failed', message: 'Nothing was changed: the disk refused it (ENOSPC).' },
    ],
    [
      'not made beside an operation',
      { ok: true, value: { status: 'busy' } },
      { outcome: 'failed', message: expect.stringMatching(/^Nothing was changed: another operation/) },
    ],
    [
      'not answered',
      { ok: false, reason: 'timeout' },
      { outcome: 'failed', message: 'The settings did not answer. Look at Configure to see what is in force.' },
    ],
  ])('is said once it is %s', async (_, answer, result) => {
    const { registry, ask, hold, facts } = panel();
    registry.answer = () => answer;
    ask({ effect });
    hold();
    await expect.poll(() => facts().result).toMatchObject(result);
    expect(registry.told.at(-1)).toEqual({
      id: 'settings',
      event: { type: 'settings.merge', patch: effect.patch, consent: 'REMOTE_MEDIA' },
    });
  });
});
