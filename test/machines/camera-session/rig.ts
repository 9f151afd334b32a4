import { createActor, type EventObject, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  CameraHeight,
  CaptureCommand,
  CaptureFact,
  CaptureInput,
  Encoding,
  IndicationCommand,
  IndicationFact,
  SessionPhase,
  SnapshotOutcome,
  StillCommand,
  StillFact,
  StreamCommand,
  StreamFact,
  StreamInput,
  SurroundingsFact,
} from '#machines/camera-session/events.ts';
import type { SessionFacts } from '#machines/camera-session/facts.ts';
import { cameraSessionMachine } from '#machines/camera-session/machine.ts';
import { phaseOf } from '#machines/kit/session-phase.ts';

/** A capture that the session started. */
export interface OpenCapture {
  readonly input: CaptureInput;
  /** True once it was told to close. */
  isClosing: boolean;
  /** True until it reported that it is closed, or was stopped. */
  hasDevice: boolean;
  readonly say: (fact: OfCapture) => void;
}

/** A fact of a capture, without its numbers. */
type OfCapture = CaptureFact extends infer F
  ? F extends CaptureFact
    ? Omit<F, 'generation' | 'attempt' | 'at'>
    : never
  : never;

const encodingOf = ({ request }: CaptureInput): Encoding => ({
  encoder: 'libx264',
  width: (request.height * 16) / 9,
  height: request.height,
  fps: request.fps,
  kbps: request.kbps,
});

/** A session on a simulated clock, with drivers that do nothing but what a test says. */
export function sessionRig() {
  const clock = new SimulatedClock();
  const log: string[] = [];
  const captures: OpenCapture[] = [];
  const stills: StillCommand[] = [];
  const streamed: StreamCommand[] = [];
  const replies: { readonly requestId: string; readonly outcome: SnapshotOutcome }[] = [];
  let sayStream: (fact: StreamFact) => void = () => {};
  let sayStill: (fact: StillFact) => void = () => {};
  let sayIndication: (fact: IndicationFact) => void = () => {};
  let saySurroundings: (fact: SurroundingsFact) => void = () => {};
  let isHeld = false;
  let isConfirmed = false;
  const crashes: Record<string, () => void> = {};
  const breaking = (guard: (fn: () => void) => () => void, name: string): void => {
    crashes[name] = guard(() => {
      throw new Error('broken');
    });
  };

  const actor = createActor(
    cameraSessionMachine.provide({
      actors: {
        capture: fromDriver<CaptureCommand, CaptureInput, CaptureFact>(({ input, send, onEvent }) => {
          if (!isHeld || !isConfirmed) log.push('capture without a confirmed indication');
          if (captures.some(({ hasDevice }) => hasDevice)) log.push('two captures');
          const { generation, attempt } = input;
          const capture: OpenCapture = {
            input,
            isClosing: false,
            hasDevice: true,
            say: (fact) => {
              if (fact.type === 'capture.closed') capture.hasDevice = false;
              // The numbers complete the fact.
              send({ ...fact, generation, attempt, at: clock.now() } as CaptureFact);
            },
          };
          captures.push(capture);
          log.push(`capture ${attempt}`);
          onEvent(() => {
            capture.isClosing = true;
            log.push(`close ${attempt}`);
          });
          return () => {
            capture.hasDevice = false;
          };
        }),
        stream: fromDriver<StreamCommand, StreamInput, StreamFact>(({ send, onEvent, guard }) => {
          sayStream = send;
          breaking(guard, 'stream');
          onEvent((command) => {
            streamed.push(command);
            log.push('client' in command ? `${command.type} ${command.client}` : command.type);
          });
        }),
        stills: fromDriver<StillCommand, undefined, StillFact>(({ send, onEvent, guard }) => {
          sayStill = send;
          breaking(guard, 'stills');
          onEvent((command) => void stills.push(command));
        }),
        indication: fromDriver<IndicationCommand, undefined, IndicationFact>(({ send, onEvent, guard }) => {
          breaking(guard, 'indication');
          sayIndication = (fact) => {
            isConfirmed = fact.type === 'indication.confirmed';
            send(fact);
          };
          onEvent(({ type }) => {
            if (type === 'indication.release' && captures.some(({ hasDevice }) => hasDevice))
              log.push('released before it closed');
            isHeld = type === 'indication.hold';
            isConfirmed = false;
            log.push(isHeld ? 'hold' : 'release');
          });
          // Its end releases it too, once what was opened is closed.
          return () => {
            isHeld = false;
          };
        }),
        surroundings: fromDriver<EventObject, undefined, SurroundingsFact>(({ send, guard }) => {
          saySurroundings = send;
          breaking(guard, 'surroundings');
          send({ type: 'encoding.changed', request: { height: 720, fps: 15, kbps: 2000 } });
          send({ type: 'scan.changed', camera: 'present' });
        }),
      },
    }),
    { input: { port: 8554 }, clock },
  );
  actor.on('reply', ({ requestId, outcome }) => void replies.push({ requestId, outcome }));
  actor.start();

  const facts = (): SessionFacts => actor.getSnapshot().context;
  const newest = (): OpenCapture => {
    const capture = captures.at(-1);
    if (capture === undefined) throw new Error('no capture was started');
    return capture;
  };
  const rig = {
    actor,
    clock,
    log,
    captures,
    stills,
    streamed,
    replies,
    facts,
    newest,
    crash: (name: string): void => crashes[name]?.(),
    sayStream: (fact: StreamFact): void => sayStream(fact),
    sayStill: (fact: StillFact): void => sayStill(fact),
    sayIndication: (fact: IndicationFact): void => sayIndication(fact),
    saySurroundings: (fact: SurroundingsFact): void => saySurroundings(fact),
    isHeld: (): boolean => isHeld,
    state: (): unknown => actor.getSnapshot().value,
    phase: (): SessionPhase | null => phaseOf(actor.getSnapshot().value),
    /** Moves on in steps, so that each timer starts the next. */
    pass: (ms: number): void => {
      for (let left = ms; left > 0; left -= 100) clock.increment(Math.min(100, left));
    },
    ask: (requestId: string, height: CameraHeight | null = null): void =>
      actor.send({ type: 'camera.snapshot', requestId, height, at: clock.now() }),
    want: (client: number, named: Partial<{ height: CameraHeight; fps: number; kbps: number }> = {}): void =>
      sayStream({ type: 'stream.wanted', client, height: null, fps: null, kbps: null, ...named, at: clock.now() }),
    leave: (client: number): void => sayStream({ type: 'stream.left', client, at: clock.now() }),
    confirm: (): void => rig.sayIndication({ type: 'indication.confirmed', by: 'overlay' }),
    open: (): void => newest().say({ type: 'capture.opened', encoding: encodingOf(newest().input) }),
    tick: (lastAt: number | null = clock.now()): void =>
      newest().say({ type: 'capture.measured', lastAt, fps: 15, kbps: 2000 }),
    fail: (fault: Extract<CaptureFact, { type: 'capture.failed' }>['fault'] = 'open', detail = 'busy'): void =>
      newest().say({ type: 'capture.failed', fault, detail }),
    closed: (): void => newest().say({ type: 'capture.closed' }),
    stop: (): void => actor.send({ type: 'camera-session.stop' }),
    /** The token of the refusal of a picture; `taken`, or null while it waits. */
    answerOf: (requestId: string): string | null => {
      const found = replies.filter((one) => one.requestId === requestId);
      if (found.length > 1) throw new Error(`${requestId} was answered twice`);
      const outcome = found[0]?.outcome;
      return outcome === undefined ? null : outcome.status === 'taken' ? 'taken' : outcome.refusal;
    },
    refusalOf: (client: number): string | null =>
      streamed.flatMap((one) => (one.type === 'stream.refuse' && one.client === client ? one.refusal : [])).at(-1) ??
      null,
  };
  return rig;
}
export type SessionRig = ReturnType<typeof sessionRig>;
