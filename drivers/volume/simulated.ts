import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { VolumeDriver, VolumeDriverCommand, VolumeFact } from '#machines/volume/events.ts';

/** The volume of the simulated panel; answers synchronously. */
export const simulatedVolume = (device: SimulatedDevice): VolumeDriver =>
  fromDriver<VolumeDriverCommand, undefined, VolumeFact>(({ send, onEvent, guard }) => {
    let last = device.panel.volume;
    let writing = false;
    const stop = device.observe(
      guard(({ volume }) => {
        if (writing || (volume.percent === last.percent && volume.muted === last.muted)) return;
        last = volume;
        send({ type: 'mixer.observed', ...volume });
      }),
    );
    onEvent((command) => {
      if (command.type === 'mixer.probe') return;
      writing = true;
      device.setVolume(command.percent, command.percent === 0 && device.panel.volume.muted);
      writing = false;
      last = device.panel.volume;
      send({ type: 'mixer.written', generation: command.generation, ...last });
    });
    send({ type: 'mixer.found', route: 'simulated', ...last });
    return stop;
  });
