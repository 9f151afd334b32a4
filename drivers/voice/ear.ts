import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { OpenTasks } from '#drivers/kit/open-tasks.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { EarCommand, EarDriver, EarFact } from '#machines/voice/events.ts';

import { alsaRecorder } from './alsa.ts';
import { type OpenCheck, openCheck } from './check.ts';
import type { MicrophoneDevice } from './device.ts';
import { EAR_BOUNDS, type EarBounds, type EarRules, type EarWork } from './listening.ts';
import { pulseRecorder } from './pulse.ts';
import { type Recorder, survey } from './recorder.ts';
import { simulatedRecorder } from './simulated.ts';
import { type EarChannel, type OpenTurn, openTurn } from './turn.ts';

export interface EarOptions {
  readonly device: MicrophoneDevice;
  /** Takes the samples of a turn. */
  readonly channel: EarChannel;
  readonly rules: EarRules;
  /** A monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Counts what is open, also after the driver has ended. */
  readonly open?: Pick<OpenTasks, 'add'>;
  readonly env?: ToolEnv;
  readonly bounds?: EarBounds;
  /** Ways to record, best first; by default those of the device. */
  readonly recorders?: readonly Recorder[];
}

/** The ways to record of this device, in the order in which they are tried. */
const recordersOf = (device: MicrophoneDevice, elapsed: () => Milliseconds, env: ToolEnv): readonly Recorder[] =>
  device.kind === 'simulated'
    ? [simulatedRecorder({ device: device.device, elapsed })]
    : [pulseRecorder(env), alsaRecorder(env)];

/**
 * The ear of the panel. A newer turn or check ends the one before, and begins once its process is gone; stopping the
 * driver ends all, and its cleanup waits for that.
 */
export const voiceEar = ({
  device,
  channel,
  rules,
  elapsed,
  open,
  env = process.env,
  bounds = EAR_BOUNDS,
  recorders = recordersOf(device, elapsed, env),
}: EarOptions): EarDriver =>
  fromDriver<EarCommand, undefined, EarFact>(({ send, onEvent, guard, signal }) => {
    const panelSource = device.kind === 'system' ? device.source : null;
    const work: EarWork = { recorders, choose: rules.choose, panelSource, rules, bounds, elapsed, send, guard };
    const inTurn = serial();
    let turn: OpenTurn | null = null;
    let check: OpenCheck | null = null;
    let done: Promise<void> = Promise.resolve();

    const probe = async (choice: Extract<EarCommand, { readonly type: 'ear.probe' }>['choice']): Promise<void> => {
      const { system, sources, found, failure } = await survey(work, choice, signal);
      send({ type: 'ear.sources', system, sources, chosen: found?.source.name ?? null, failure });
    };
    const closeAll = (): void => {
      turn?.close();
      check?.close();
      turn = null;
      check = null;
    };
    const turnOf = (number: number): OpenTurn | null => (turn?.turn === number ? turn : null);

    onEvent((command) => {
      switch (command.type) {
        case 'ear.probe':
          return inTurn(() => probe(command.choice));
        case 'ear.open':
          closeAll();
          turn = openTurn(command, channel, work, done);
          ({ done } = turn);
          open?.add(done);
          return done;
        case 'ear.check':
          closeAll();
          check = openCheck(command, work, done);
          ({ done } = check);
          open?.add(done);
          return done;
        case 'ear.release':
          return turnOf(command.turn)?.release();
        case 'ear.finish':
          return turnOf(command.turn)?.finish();
        case 'ear.close':
          return turnOf(command.turn)?.close();
        case 'ear.end-check':
          if (check?.check === command.check) check.close();
      }
    });
    return async () => {
      closeAll();
      await done.catch(() => {});
    };
  });
