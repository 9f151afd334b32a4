import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { amixerMixer } from '#drivers/volume/amixer.ts';
import { parseSinkMute, parseSinkVolume } from '#drivers/volume/pactl.ts';
import { simulatedVolume } from '#drivers/volume/simulated.ts';
import { systemVolume } from '#drivers/volume/system.ts';
import type { VolumeDriverCommand, VolumeFact } from '#machines/volume/events.ts';

import { isFact, runDriver } from './run-driver.ts';
import { volumeContract, type VolumeRig } from './volume.contract.ts';
import { amixerInstalled, pulseInstalled, type PulseServer, pulseServer } from './volume/pulse-server.ts';

describe('volume driver contract: simulated', () => {
  it.each(volumeContract)('$title', async ({ run }) => {
    const device = new SimulatedDevice();
    await run({
      logic: simulatedVolume(device),
      route: 'simulated',
      peek: async () => device.panel.volume,
      poke: async ({ percent, muted }) => device.setVolume(percent, muted),
      end: async () => {},
    });
  });
});

const installed = await pulseInstalled();
const throughAmixer = installed && (await amixerInstalled());
const SINK = '@DEFAULT_SINK@';

describe.skipIf(!installed)(
  `volume driver contract: a real PulseAudio${installed ? '' : ' (skipped: packages pulseaudio and pulseaudio-utils are not installed)'}`,
  () => {
    let server: PulseServer;
    beforeAll(async () => {
      server = await pulseServer('module-null-sink sink_name=panel');
    });
    afterAll(() => server.end());

    const rig = (route: 'pactl' | 'amixer' = 'pactl'): VolumeRig => ({
      // The server's folder is no PipeWire's, so the order of trying ends at pactl; amixer reaches it through ALSA's
      // pulse plug-in.
      logic: systemVolume({ env: server.env, ...(route === 'amixer' ? { mixers: [amixerMixer(server.env)] } : {}) }),
      route,
      peek: async () => ({
        percent: parseSinkVolume(await server.pactl('get-sink-volume', SINK)) ?? -1,
        muted: parseSinkMute(await server.pactl('get-sink-mute', SINK)) ?? false,
      }),
      poke: async ({ percent, muted }) => {
        await server.pactl('set-sink-volume', SINK, `${percent}%`);
        await server.pactl('set-sink-mute', SINK, muted ? '1' : '0');
      },
      end: async () => {},
    });

    it.each(volumeContract)('$title', ({ run }) => run(rig()));

    describe.skipIf(!throughAmixer)(
      `through amixer${throughAmixer ? '' : ' (skipped: packages alsa-utils and libasound2-plugins are not installed)'}`,
      () => {
        it.each(volumeContract)('$title', ({ run }) => run(rig('amixer')));
      },
    );

    it('says that there is nothing to hear when the only output is the dummy', async () => {
      const dummy = await pulseServer('module-null-sink sink_name=auto_null');
      const driver = runDriver<VolumeDriverCommand, VolumeFact>(systemVolume({ env: dummy.env }));
      try {
        const fact = await driver.until(isFact<VolumeFact, 'mixer.missing'>('mixer.missing'));
        expect(fact.verdict).toMatchObject({ state: 'not_here', reason: 'no-sound-output' });
      } finally {
        driver.stop();
        await dummy.end();
      }
    });

    it('reports the sound system lost when it dies, and finds it again', async () => {
      const mortal = await pulseServer('module-null-sink sink_name=panel');
      const driver = runDriver<VolumeDriverCommand, VolumeFact>(systemVolume({ env: mortal.env }));
      try {
        await driver.until(isFact<VolumeFact, 'mixer.found'>('mixer.found'));
        await mortal.kill();
        await driver.until(isFact<VolumeFact, 'mixer.lost'>('mixer.lost'));
        driver.tell({ type: 'mixer.write', generation: 1, percent: 5 });
        await driver.until(isFact<VolumeFact, 'mixer.refused'>('mixer.refused'));
        driver.tell({ type: 'mixer.probe' });
        await driver.until(isFact<VolumeFact, 'mixer.missing'>('mixer.missing'));
      } finally {
        driver.stop();
        await mortal.end();
      }
    });
  },
);
