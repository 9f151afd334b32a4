import { createActor, type EventObject } from 'xstate';

import { cameraCapture } from '#drivers/camera/capture.ts';
import { anyCamera } from '#drivers/camera/device.ts';
import { createFrameHub } from '#drivers/camera/hub.ts';
import { cameraScan } from '#drivers/camera/linux.ts';
import { cameraStills } from '#drivers/camera/still.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { CameraDriverCommand, CameraFact, CameraObject, CameraScan } from '#machines/camera/events.ts';
import { isCamera, judgeDevices } from '#machines/camera/judge-devices.ts';
import { cameraObject } from '#machines/camera/view.ts';
import type {
  IndicationCommand,
  IndicationFact,
  ScannedCamera,
  SessionPhase,
  StillCommand,
  StillFact,
  StreamCommand,
  StreamFact,
  StreamInput,
  SurroundingsFact,
} from '#machines/camera-session/events.ts';
import { cameraSessionMachine } from '#machines/camera-session/machine.ts';
import { phaseOf } from '#machines/kit/session-phase.ts';
import { runDriver } from '#test/drivers/run-driver.ts';

import { until } from '../guest-case.ts';

/** The session's seconds last longer here: an emulated processor is fifteen times slower than a panel, and more. */
const SLOWER = 20;
const elapsed = (): number => performance.now() / SLOWER;
const clock = {
  setTimeout: (fn: (...args: unknown[]) => void, ms: number): NodeJS.Timeout => setTimeout(fn, ms * SLOWER),
  clearTimeout: (id: NodeJS.Timeout): void => clearTimeout(id),
};
const env = { PATH: '/usr/bin:/bin' };
const client = 1;

/** The first report of the scan. */
export async function scanOnce(): Promise<CameraFact> {
  const driver = runDriver<CameraDriverCommand, CameraFact>(cameraScan(anyCamera));
  const fact = await driver.until((one): one is CameraFact => one.type === 'camera.enumerated');
  driver.stop();
  return fact;
}

function judged(scan: CameraScan): ScannedCamera {
  if (scan.found === 'none') return 'gone';
  return scan.refused === scan.count ? 'refused' : 'present';
}

/** The session of the camera with its real drivers, beside a mark that is always confirmed, and one client. */
export interface CameraRig {
  /** Scans, and tells the session. */
  readonly scan: () => Promise<void>;
  /** The client asks for the stream. */
  readonly watch: () => void;
  readonly leave: () => void;
  readonly object: () => CameraObject;
  readonly phase: () => SessionPhase | null;
  /** Pictures that were encoded so far. */
  readonly units: () => number;
  /** The newest picture as a JPEG. */
  readonly picture: () => Promise<Buffer | null>;
  readonly end: () => Promise<void>;
}

export function cameraRig(): CameraRig {
  const hub = createFrameHub(elapsed);
  let units = 0;
  hub.read({ onFormat: () => {}, onUnit: () => void (units += 1), onEnd: () => {} });
  let sayStream: (fact: StreamFact) => void = () => {};
  let saySurroundings: (fact: SurroundingsFact) => void = () => {};
  let seen: CameraScan | null = null;
  let user: string | null = null;
  const actor = createActor(
    cameraSessionMachine.provide({
      actors: {
        capture: cameraCapture({ device: anyCamera, hub, elapsed, env, isCamera }),
        stills: cameraStills({ hub, env }),
        stream: fromDriver<StreamCommand, StreamInput, StreamFact>(({ send }) => void (sayStream = send)),
        indication: fromDriver<IndicationCommand, undefined, IndicationFact>(({ send, onEvent }) =>
          onEvent(({ type }) => {
            if (type === 'indication.hold') send({ type: 'indication.confirmed', by: 'overlay' });
          }),
        ),
        surroundings: fromDriver<EventObject, undefined, SurroundingsFact>(({ send }) => {
          saySurroundings = send;
          send({ type: 'encoding.changed', request: { height: 480, fps: 5, kbps: 500 } });
        }),
      },
    }),
    { input: { port: 0 }, clock },
  );
  actor.subscribe({ error: () => {} });
  actor.start();
  const phase = (): SessionPhase | null => phaseOf(actor.getSnapshot().value);
  const leave = (): void => sayStream({ type: 'stream.left', client, at: elapsed() });
  const object = (): CameraObject => {
    const now = phase();
    const session = now === null ? null : { phase: now, context: actor.getSnapshot().context };
    return cameraObject({ scan: seen, isEnabled: true, session, elapsed: elapsed(), user });
  };
  const picture = async (): Promise<Buffer | null> => {
    const stills = runDriver<StillCommand, StillFact>(cameraStills({ hub, env, boundMs: 60_000 }));
    stills.tell({ type: 'still.take', id: 1, height: null });
    const { jpeg } = await stills.until((fact): fact is StillFact => fact.type === 'still.taken');
    stills.stop();
    return jpeg === null ? null : Buffer.from(jpeg);
  };
  return {
    scan: async () => {
      const fact = await scanOnce();
      user = fact.user ?? null;
      seen = judgeDevices(fact.devices, false);
      saySurroundings({ type: 'scan.changed', camera: judged(seen) });
    },
    watch: () => sayStream({ type: 'stream.wanted', client, height: null, fps: null, kbps: null, at: elapsed() }),
    leave,
    object,
    phase,
    units: () => units,
    picture,
    end: async () => {
      actor.send({ type: 'camera-session.stop' });
      await until('the session to end', async () => actor.getSnapshot().status !== 'active');
    },
  };
}
