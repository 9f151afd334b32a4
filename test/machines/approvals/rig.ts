import { createActor, fromPromise, SimulatedClock } from 'xstate';

import type {
  ApprovalRequest,
  ControlCommand,
  ControlFact,
  Effect,
  ExposureCommand,
  ExposureFact,
  ExposureFinding,
  ModeCommand,
  ModeFact,
  Place,
  QuestionCommand,
  QuestionFact,
  SecurityMode,
  SurroundingsCommand,
  SurroundingsFact,
} from '#machines/approvals/events.ts';
import type { ApprovalsMachineEvent } from '#machines/approvals/facts.ts';
import type { CarriedOut } from '#machines/approvals/implementations.ts';
import { approvalsMachine } from '#machines/approvals/machine.ts';
import { operations } from '#machines/operations.ts';

import { fakeDriver } from '../../fakes/fake-driver.ts';

/** Lets promises settle. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
}

export interface RigOptions {
  readonly mode?: SecurityMode;
  readonly place?: Place;
  readonly lit?: boolean;
  readonly findings?: () => readonly ExposureFinding[];
  readonly carryOut?: (effect: Effect | null) => Promise<CarriedOut>;
  /** What the file says after a write; the written mode if absent, null for a refusing disk. */
  readonly written?: (mode: SecurityMode) => SecurityMode | null;
}

/** The approvals' machine with fakes around it, on a stepped clock whose time its events carry. */
export function approvalsRig(options: RigOptions = {}) {
  const { mode = 'hardened', place = { kind: 'screen' }, lit = true, findings = () => [] } = options;
  const clock = new SimulatedClock();
  const at = (): number => clock.now();
  const modeFile = fakeDriver<ModeCommand, ModeFact>({ type: 'mode.read', mode, unreadable: false });
  const question = fakeDriver<QuestionCommand, QuestionFact>();
  const surroundings = fakeDriver<SurroundingsCommand, SurroundingsFact>(
    { type: 'place.changed', place },
    { type: 'screens.changed', lit, at: 0 },
  );
  const exposure = fakeDriver<ExposureCommand, ExposureFact>();
  const control = fakeDriver<ControlCommand, ControlFact>();
  const effects: (Effect | null)[] = [];
  const replies: { readonly requestId: string; readonly outcome: unknown }[] = [];
  const actor = createActor(
    approvalsMachine.provide({
      actors: {
        modeFile: modeFile.logic,
        question: question.logic,
        surroundings: surroundings.logic,
        exposure: exposure.logic,
        control: control.logic,
        carryOut: fromPromise<CarriedOut, { readonly effect: Effect | null; readonly operation: string }>(
          async ({ input: { effect } }) => {
            effects.push(effect);
            return (options.carryOut ?? (async () => ({ failure: null })))(effect);
          },
        ),
      },
    }),
    { clock, input: { operations } },
  );
  actor.on('reply', ({ requestId, outcome }) => void replies.push({ requestId, outcome }));
  actor.start();

  let looked = 0;
  let wrote = 0;
  /** Answers what the machine asked of its drivers. */
  const answerDrivers = (): void => {
    for (; looked < exposure.commands.length; looked += 1)
      actor.send({ type: 'exposure.seen', findings: findings(), at: at() });
    for (; wrote < modeFile.commands.length; wrote += 1) {
      const command = modeFile.commands[wrote];
      const now = command === undefined ? null : (options.written ?? ((to) => to))(command.mode);
      if (now === null) actor.send({ type: 'mode.refused', code: 'ENOSPC' });
      else actor.send({ type: 'mode.read', mode: now, unreadable: false });
    }
  };
  const send = (event: ApprovalsMachineEvent): void => {
    actor.send(event);
    answerDrivers();
  };
  answerDrivers();

  let requests = 0;
  const request = (more: Partial<ApprovalRequest> = {}): unknown => {
    requests += 1;
    const requestId = `r${requests}`;
    const made: ApprovalRequest = {
      candidate: `id${requests}`,
      operation: 'REMOTE_MEDIA',
      what: 'http://192.0.2.10/sound.mp3',
      peer: '192.0.2.1',
      digest: 'a',
      effect: null,
      at: at(),
      ...more,
    };
    send({ type: 'approval.request', requestId, request: made });
    return replies.find((one) => one.requestId === requestId)?.outcome;
  };
  const step = (ms: number): void => {
    clock.increment(ms);
    answerDrivers();
  };
  const shown = (): string | null => actor.getSnapshot().context.shown?.id ?? null;
  /** The tab shows its question. */
  const see = (): void => send({ type: 'question.seen', id: shown() ?? '', visible: true, at: at() });
  const hold = (id = shown() ?? ''): void => {
    send({ type: 'question.pressed', id, at: at() });
    step(1000);
    send({ type: 'question.answered', id, answer: 'hold', at: at() });
  };
  return {
    actor,
    clock,
    at,
    send,
    request,
    step,
    shown,
    see,
    hold,
    /** The question is seen, read for a second, and approved. */
    approve: (): void => {
      see();
      step(1000);
      hold();
    },
    press: (answer: 'deny' | 'ignore'): void =>
      send({ type: 'question.answered', id: shown() ?? '', answer, at: at() }),
    context: () => actor.getSnapshot().context,
    value: () => actor.getSnapshot().value,
    codes: () => actor.getSnapshot().context.happened.map(({ code }) => code),
    commands: { question: question.commands, surroundings: surroundings.commands, control: control.commands },
    looks: () => exposure.commands.length,
    writes: modeFile.commands,
    effects,
    replies,
    crash: { modeFile, question, surroundings, exposure, control },
  };
}
