import { z } from 'zod';

import { captureNames, scanMicrophones } from '#drivers/microphone/linux.ts';
import type { MicrophoneDevice } from '#drivers/voice/device.ts';

import { driverEntry, driverFamily, type Evidence } from '../driver-entry.ts';
import { alwaysThere, namesFound, noNeeds } from './evidence.ts';
import { sourceName } from './names.ts';

/** Lists what the kernel can capture; opens nothing. What a sound server adds, only asking it tells. */
async function scanForMicrophones(): Promise<Evidence> {
  const scan = await scanMicrophones();
  if (scan.found === 'none' && scan.detail === 'undetermined')
    return { state: 'unknown', names: [], detail: 'Only the sound server of this machine can tell.' };
  const evidence = namesFound(scan.found === 'none' ? [] : ((await captureNames()) ?? []), 'microphone');
  return scan.found === 'devices' && scan.refused === scan.count
    ? { ...evidence, state: 'denied', detail: 'The kernel lists a microphone that may not be opened.' }
    : evidence;
}

export const microphoneDrivers = driverFamily<MicrophoneDevice>('microphone', [
  driverEntry({
    id: 'microphone.system',
    title: 'Microphone of this machine',
    summary: 'Records through PulseAudio or PipeWire, where one answers, else through ALSA.',
    options: () =>
      z.strictObject({
        source: sourceName().optional().meta({
          description: 'Exact name of the source in the sound system; by default the settings choose one.',
        }),
      }),
    // Either recorder will do: pulseaudio-utils has parec, alsa-utils has arecord.
    needs: { groups: ['audio'], packages: [], kernel: ['/proc/asound/pcm'], udev: [] },
    risks: ['microphone-open'],
    probe: 'It is listed without being opened; only a turn or a check that a person at the panel allowed opens it.',
    scan: scanForMicrophones,
    create: ({ source }) => ({ kind: 'system', source: source ?? null }),
  }),
  driverEntry({
    id: 'microphone.simulated',
    title: 'Simulated microphone',
    summary: 'Hears what is typed on the page of the simulated panel.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: (_options, { simulated }) => ({ kind: 'simulated', device: simulated() }),
  }),
]);
