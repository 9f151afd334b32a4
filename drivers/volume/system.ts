import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { MixerReading, VolumeDriver, VolumeDriverCommand, VolumeFact } from '#machines/volume/events.ts';

import { amixerMixer } from './amixer.ts';
import { findMixer } from './find.ts';
import type { Mixer } from './mixer.ts';
import { pactlMixer } from './pactl.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import { watchMixer } from './watch.ts';
import { wpctlMixer } from './wpctl.ts';

export interface SystemVolumeOptions {
  /** Environment of the tools; the process's by default. */
  readonly env?: ToolEnv;
  /** The routes, in the order in which they are tried; wpctl, pactl, amixer by default. */
  readonly mixers?: readonly Mixer[];
  /** File with the kernel's list of sound cards. */
  readonly cardsFile?: string;
}

/** The system's music stream, through the first tool that can read it. */
export const systemVolume = (options: SystemVolumeOptions = {}): VolumeDriver =>
  fromDriver<VolumeDriverCommand, undefined, VolumeFact>(({ send, onEvent, guard, signal }) => {
    const env = options.env ?? process.env;
    const mixers = options.mixers ?? [wpctlMixer(env), pactlMixer(env), amixerMixer(env)];
    let mixer: Mixer | null = null;
    let last: MixerReading | null = null;
    let unwatch = (): void => {};
    const runInTurn = serial();

    // One at a time: a reading during a write would report the old value as a change.
    const inTurn = (work: () => Promise<void>): Promise<void> => runInTurn(() => (signal.aborted ? undefined : work()));
    const lose = (reason: string): void => {
      mixer = null;
      unwatch();
      send({ type: 'mixer.lost', reason });
    };
    const check = async (): Promise<void> => {
      if (mixer === null) return;
      const reading = await mixer.read(signal);
      if (signal.aborted) return;
      if (!reading.ok) {
        lose(reading.reason);
      } else if (reading.value.percent !== last?.percent || reading.value.muted !== last.muted) {
        last = reading.value;
        send({ type: 'mixer.observed', ...last });
      }
    };
    const probe = async (): Promise<void> => {
      if (mixer !== null) return;
      const found = await findMixer(mixers, signal, options.cardsFile);
      if (signal.aborted) return;
      if ('verdict' in found) {
        send({ type: 'mixer.missing', verdict: found.verdict });
        return;
      }
      ({ mixer, reading: last } = found);
      unwatch = watchMixer(
        mixer.watcher,
        env,
        guard(() => inTurn(check)),
      );
      send({ type: 'mixer.found', route: mixer.route, ...last });
    };
    const write = async (generation: number, percent: number): Promise<void> => {
      const refuseWith = (reason: string): void => send({ type: 'mixer.refused', generation, reason });
      if (mixer === null) {
        refuseWith('no-sound');
        return;
      }
      const written = await mixer.write(percent, signal);
      if (!written.ok) {
        refuseWith(written.reason);
        return;
      }
      const reading = await mixer.read(signal);
      if (!reading.ok) {
        refuseWith(reading.reason);
        return;
      }
      last = reading.value;
      send({ type: 'mixer.written', generation, ...last });
    };

    onEvent((command) =>
      inTurn(() => (command.type === 'mixer.probe' ? probe() : write(command.generation, command.percent))),
    );
    return inTurn(probe).then(() => () => unwatch());
  });
