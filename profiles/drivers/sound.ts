import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { simulatedLoudspeaker } from '#drivers/announcer/simulated.ts';
import { type Loudspeaker, systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import { adbVolume } from '#drivers/volume/adb.ts';
import { simulatedVolume } from '#drivers/volume/simulated.ts';
import { systemVolume } from '#drivers/volume/system.ts';
import type { VolumeDriver } from '#machines/volume/events.ts';

import { driverEntry, driverFamily, type Evidence } from '../driver-entry.ts';
import { adbNeeds, alwaysThere, namesFound, noNeeds, onlyByUsing } from './evidence.ts';
import { optionalPart } from './optional.ts';

/** Lists the sound cards, ` 0 [vc4hdmi ]: ...`. */
async function scanForCards(): Promise<Evidence> {
  const text = await readFile('/proc/asound/cards', 'utf8').catch(() => '');
  return namesFound(
    [...text.matchAll(/^\s*\d+ \[([^\]]{1,64}?)\s*\]/gm)].map((found) => found[1] ?? ''),
    'sound card',
  );
}

export const volumeDrivers = driverFamily<VolumeDriver>('volume', [
  driverEntry({
    id: 'volume.system',
    title: 'Volume of this machine',
    summary: 'Sets the volume through PipeWire, PulseAudio or ALSA, whichever answers.',
    options: () => z.strictObject({ optional: optionalPart() }),
    needs: { groups: ['audio'], packages: [], kernel: ['/proc/asound/cards'], udev: [] },
    risks: ['none'],
    probe: 'wpctl, pactl and amixer are asked in turn; the first that knows a sound card is used and read back.',
    scan: scanForCards,
    create: () => systemVolume(),
  }),
  driverEntry({
    id: 'volume.adb',
    title: 'Volume of an Android panel',
    summary: 'Sets the music stream to the nearest of the steps that Android has.',
    options: () => z.strictObject({}),
    needs: adbNeeds,
    risks: ['android-debugging'],
    probe: 'The stream is read, and each write is read back.',
    scan: onlyByUsing,
    create: (_options, { android }) => adbVolume(android()),
  }),
  driverEntry({
    id: 'volume.simulated',
    title: 'Simulated volume',
    summary: 'A volume in memory.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: (_options, { simulated }) => simulatedVolume(simulated()),
  }),
]);

/** Drivers that play announcements. */
export const loudspeakerDrivers = driverFamily<Loudspeaker>('loudspeaker', [
  driverEntry({
    id: 'loudspeaker.system',
    title: 'Loudspeaker of this machine',
    summary: 'Plays announcements with whichever of the known players is installed.',
    options: () => z.strictObject({}),
    needs: { groups: ['audio'], packages: ['mpv'], kernel: ['/proc/asound/cards'], udev: [] },
    risks: ['none'],
    probe: 'Each player is asked for its version and the sound system for a card; nothing is played.',
    scan: scanForCards,
    create: () => systemLoudspeaker(),
  }),
  driverEntry({
    id: 'loudspeaker.simulated',
    title: 'Simulated loudspeaker',
    summary: 'Takes every announcement and plays nothing.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: () => simulatedLoudspeaker,
  }),
]);
