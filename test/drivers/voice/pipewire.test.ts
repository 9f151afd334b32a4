import { describe, expect, it } from 'vitest';

import { pulseRecorder } from '#drivers/voice/pulse.ts';

import { earContract } from './ear.contract.ts';
import { anyChoice, startEar } from './hearing.ts';
import { missingForPipewire, pipewireServer } from './pipewire-server.ts';
import { pulseRoom } from './pulse-room.ts';

const missing = await missingForPipewire();
const why = missing === null ? '' : ` (skipped: ${missing} is not installed)`;

earContract(`the microphone of PipeWire${why}`, () => pulseRoom(pipewireServer), missing !== null);

describe.skipIf(missing !== null)(`PipeWire${why}`, () => {
  it('has an echo-cancelled source where its module is loaded', async () => {
    const room = await pulseRoom(pipewireServer);
    await room.server.pactl('load-module', 'module-null-sink', 'sink_name=hall');
    await room.server.pactl(
      'load-module',
      'module-echo-cancel',
      'source_name=clear',
      'source_master=mic',
      'sink_master=hall',
    );
    const ear = startEar({ ...room.options, recorders: [pulseRecorder(room.server.env)] });
    ear.tell({ type: 'ear.probe', choice: anyChoice });
    const { chosen, sources } = await ear.sources();
    expect(chosen).toBe('clear');
    expect(sources.map(({ name, kind }) => [name, kind])).toEqual([
      ['mic', 'microphone'],
      ['clear', 'echo-cancelled'],
    ]);
    ear.stop();
    await room.end();
  });
});
