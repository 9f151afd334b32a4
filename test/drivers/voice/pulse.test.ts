import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { pulseRecorder } from '#drivers/voice/pulse.ts';

import { pulseInstalled, pulseServer } from '../volume/pulse-server.ts';
import { earContract } from './ear.contract.ts';
import { anyChoice, patientBounds, startEar } from './hearing.ts';
import { type PulseRoom, pulseRoom } from './pulse-room.ts';

const isSkipped = !(await pulseInstalled()) || !existsSync('/usr/bin/parec');
const why = isSkipped ? ' (skipped: needs the packages pulseaudio and pulseaudio-utils)' : '';

earContract(`the microphone of PulseAudio${why}`, pulseRoom, isSkipped);

describe.skipIf(isSkipped)(`PulseAudio${why}`, () => {
  let room: PulseRoom;
  let ear: ReturnType<typeof startEar>;
  beforeAll(async () => {
    room = await pulseRoom();
    await room.server.pactl('load-module', 'module-null-sink', 'sink_name=hall');
    await room.server.pactl('load-module', 'module-remap-source', 'source_name=other', 'master=hall.monitor');
    await room.server.pactl('set-default-source', 'mic');
  });
  afterAll(() => room.end());
  beforeEach(() => {
    ear = startEar(room.options);
  });
  afterEach(async () => {
    ear.stop();
    await ear.settled();
    expect(ear.crashed()).toBeUndefined();
  });

  const recorder = async () => {
    const [found] = await room.recorders();
    if (found === undefined) throw new Error('the server has no recording');
    return found;
  };
  const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

  it('lists no monitor of a loudspeaker', async () => {
    ear.tell({ type: 'ear.probe', choice: anyChoice });
    const { sources } = await ear.sources();
    expect(sources.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['mic', true],
      ['other', false],
    ]);
  });

  it('never records a monitor, even by its name', async () => {
    ear.open(1, { source: 'panel.monitor' });
    expect(await ear.failed(1)).toMatchObject({ code: 'source-unknown' });
    await ear.closed(1);
  });

  it.each(['other', 'panel.monitor'])('ends if its recording is moved to %s', async (elsewhere) => {
    ear.open(1);
    ear.tell({ type: 'ear.release', turn: 1 });
    await ear.opened(1);
    const { pid, index } = await recorder();
    await room.server.pactl('move-source-output', String(index), elsewhere);
    expect(await ear.failed(1)).toMatchObject({ code: 'moved' });
    await ear.closed(1);
    expect(ear.calls.at(-1)).toBe('drop 1');
    expect(isRunning(pid)).toBe(false);
  });

  it('is echo-cancelled where its module is loaded', async () => {
    const server = await pulseServer(
      'module-null-sink sink_name=panel',
      'module-null-sink sink_name=hall',
      'module-remap-source source_name=mic master=hall.monitor',
      'module-echo-cancel source_name=clear source_master=mic sink_master=panel',
    );
    const listing = startEar({ ...room.options, recorders: [pulseRecorder(server.env)] });
    listing.tell({ type: 'ear.probe', choice: anyChoice });
    const { chosen, sources } = await listing.sources();
    expect(chosen).toBe('clear');
    expect(sources.map(({ name, kind }) => [name, kind])).toEqual([
      ['mic', 'microphone'],
      ['clear', 'echo-cancelled'],
    ]);
    listing.stop();
    await server.end();
  });

  it('that delivers nothing has stalled, and its recorder is ended', async () => {
    const hasty = startEar({ ...room.options, bounds: { ...patientBounds, stalledMs: 700 } });
    hasty.open(1);
    await hasty.opened(1);
    const { pid } = await recorder();
    process.kill(pid, 'SIGSTOP');
    expect(await hasty.failed(1)).toMatchObject({ code: 'stalled' });
    await hasty.closed(1);
    expect(isRunning(pid)).toBe(false);
    hasty.stop();
  });

  it('reports a recorder that ended by itself', async () => {
    ear.open(1);
    await ear.opened(1);
    process.kill((await recorder()).pid, 'SIGTERM');
    expect(await ear.failed(1)).toMatchObject({ code: 'ended' });
    await ear.closed(1);
  });

  it('has no recorder left after a stop', async () => {
    const stopped = startEar(room.options);
    stopped.open(1);
    await stopped.opened(1);
    const { pid } = await recorder();
    stopped.stop();
    await stopped.settled();
    expect(isRunning(pid)).toBe(false);
  });

  it('that ends takes the turn with it, and is found again', async () => {
    const mortal = await pulseRoom();
    const other = startEar(mortal.options);
    other.open(1);
    await other.opened(1);
    await mortal.server.kill();
    expect(await other.failed(1)).toMatchObject({ code: 'ended' });
    await other.closed(1);
    other.tell({ type: 'ear.probe', choice: anyChoice });
    expect(await other.sources()).toMatchObject({ system: 'none', sources: [], chosen: null, failure: 'no-device' });
    other.open(2);
    expect(await other.failed(2)).toMatchObject({ code: 'no-device' });
    await other.closed(2);
    other.stop();
    await other.settled();
    await mortal.end();
  });
});
