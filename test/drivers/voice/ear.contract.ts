import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { EarOptions } from '#drivers/voice/ear.ts';

import { isFact } from '../run-driver.ts';
import { anyChoice, patientBounds, startEar, tone } from './hearing.ts';

/** A microphone in a room, real or simulated. */
export interface Room {
  readonly options: Pick<EarOptions, 'device'> & Partial<EarOptions>;
  readonly source: string;
  readonly system: 'pulse' | 'simulated';
  /** Makes this sound in the room, from now on. */
  readonly say: (pcm: Buffer) => void;
  readonly mute: (isMuted: boolean) => Promise<void>;
  readonly plug: (isPlugged: boolean) => Promise<void>;
  /** Number of recordings that the sound system has. */
  readonly recordings: () => Promise<number>;
  /** Brings it back to what it was. */
  readonly reset: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const SOON = { timeout: 15_000 };

/** What every ear does. */
export function earContract(name: string, makeRoom: () => Promise<Room>, isSkipped = false): void {
  describe.skipIf(isSkipped)(name, () => {
    let room: Room;
    let ear: ReturnType<typeof startEar>;
    beforeAll(async () => {
      room = await makeRoom();
    });
    afterAll(() => room.end());
    beforeEach(() => {
      ear = startEar(room.options);
    });
    afterEach(async () => {
      ear.stop();
      await ear.settled();
      expect(await room.recordings()).toBe(0);
      expect(ear.crashed()).toBeUndefined();
      await room.reset();
    });

    const saysUntil = async (isEnough: () => boolean): Promise<void> => {
      room.say(tone(4000));
      await vi.waitFor(() => expect(isEnough()).toBe(true), SOON);
    };

    it('lists its microphone and opens none', async () => {
      ear.tell({ type: 'ear.probe', choice: anyChoice });
      const { sources, ...rest } = await ear.sources();
      expect(rest).toEqual({ type: 'ear.sources', system: room.system, chosen: room.source, failure: null });
      expect(sources).toContainEqual(expect.objectContaining({ name: room.source, isMuted: false }));
      expect(await room.recordings()).toBe(0);
    });

    it('sends nothing before the release, then all, and ends with the last fact', async () => {
      ear.open(1);
      await ear.opened(1);
      room.say(tone(4000));
      await ear.until(isFact('ear.measured', ({ level }) => level > 40));
      expect(ear.calls).toEqual([]);
      ear.tell({ type: 'ear.release', turn: 1 });
      expect(ear.calls).toEqual(['begin 1', 'write 1']);
      // What was said before the release is there at once.
      expect(ear.level()).toBeGreaterThan(40);
      const { length } = ear.pcm();
      await vi.waitFor(() => expect(ear.pcm().length).toBeGreaterThan(length), SOON);
      ear.tell({ type: 'ear.finish', turn: 1 });
      expect(ear.calls).toEqual(['begin 1', 'write 1', 'finish 1']);
      await ear.closed(1);
      expect(await room.recordings()).toBe(0);
      expect(ear.calls).toEqual(['begin 1', 'write 1', 'finish 1']);
      expect(ear.kinds()).toEqual(['ear.opened', 'ear.closed']);
    });

    it('sends what was heard of a speech that ended before the release', async () => {
      ear.open(1);
      await ear.opened(1);
      room.say(tone(4000));
      await ear.until(isFact('ear.measured', ({ level }) => level > 40));
      ear.tell({ type: 'ear.finish', turn: 1 });
      await ear.closed(1);
      expect(ear.calls).toEqual([]);
      ear.tell({ type: 'ear.release', turn: 1 });
      expect(ear.calls).toEqual(['begin 1', 'write 1', 'finish 1']);
      expect(ear.level()).toBeGreaterThan(40);
    });

    it('drops what was not sent when it is closed', async () => {
      ear.open(1);
      ear.tell({ type: 'ear.release', turn: 1 });
      await saysUntil(() => ear.level() > 40);
      ear.tell({ type: 'ear.close', turn: 1 });
      expect(ear.calls).toEqual(['begin 1', 'write 1', 'drop 1']);
      await ear.closed(1);
      ear.tell({ type: 'ear.release', turn: 1 });
      ear.tell({ type: 'ear.finish', turn: 1 });
      expect(ear.calls).toEqual(['begin 1', 'write 1', 'drop 1']);
    });

    it('ends at once if it is closed while it opens', async () => {
      ear.open(1, { chime: true });
      ear.tell({ type: 'ear.close', turn: 1 });
      await ear.closed(1);
      expect([ear.calls, ear.kinds()]).toEqual([[], ['ear.closed']]);
    });

    it('gives way to a newer turn, one process after the other', async () => {
      ear.open(1);
      ear.tell({ type: 'ear.release', turn: 1 });
      await ear.opened(1);
      ear.open(2);
      ear.tell({ type: 'ear.release', turn: 2 });
      await ear.opened(2);
      ear.tell({ type: 'ear.close', turn: 1 });
      await saysUntil(() => ear.level() > 40);
      expect(ear.kinds()).toEqual(['ear.opened', 'ear.closed', 'ear.opened']);
      expect(ear.calls.slice(-2)).toEqual(['begin 2', 'write 2']);
    });

    it('reports a muted microphone while it is open, and that it no longer is', async () => {
      ear.open(1);
      await ear.opened(1);
      await room.mute(true);
      await ear.until(isFact('ear.measured', ({ health, level }) => health === 'muted' && level === 0));
      await room.mute(false);
      const from = ear.facts.length;
      room.say(tone(4000));
      await ear.until(
        isFact('ear.measured', ({ health, level }) => health === 'ok' && level > 40),
        from,
      );
    });

    it('ends if the microphone is unplugged, and finds it again', async () => {
      ear.open(1);
      ear.tell({ type: 'ear.release', turn: 1 });
      await ear.opened(1);
      await room.plug(false);
      expect(await ear.failed(1)).toMatchObject({ code: 'no-device' });
      await ear.closed(1);
      expect(ear.kinds()).toEqual(['ear.opened', 'ear.failed', 'ear.closed']);
      expect(ear.calls.at(-1)).toBe('drop 1');
      ear.tell({ type: 'ear.probe', choice: { ...anyChoice, source: room.source } });
      expect(await ear.sources()).toMatchObject({ chosen: null, failure: 'source-unknown' });
      await room.plug(true);
      ear.open(2);
      await ear.opened(2);
    });

    it('refuses a source that is not there', async () => {
      ear.open(1, { source: 'elsewhere' });
      expect(await ear.failed(1)).toMatchObject({ code: 'source-unknown' });
      await ear.closed(1);
      ear.open(2, { audioSource: 'voice_communication' });
      expect(await ear.failed(2)).toMatchObject({ code: 'no-echo-cancelled' });
      await ear.closed(2);
      expect(ear.calls).toEqual([]);
    });

    it('ends if what it heard is not sent', async () => {
      ear.open(1);
      ear.tell({ type: 'ear.release', turn: 1 });
      await vi.waitFor(() => expect(ear.calls).toContain('write 1'), SOON);
      ear.overdue();
      expect(await ear.failed(1)).toMatchObject({ code: 'backlog' });
      await ear.closed(1);
      expect(ear.calls).toEqual(['begin 1', 'write 1', 'drop 1']);
    });

    it('chimes, and sends silence until the chime is over', async () => {
      ear.open(1, { chime: true });
      ear.tell({ type: 'ear.release', turn: 1 });
      room.say(tone(6000));
      let sent = 0;
      await ear.until(
        isFact('ear.chimed', () => {
          sent = ear.pcm().length / 2;
          return true;
        }),
      );
      expect(ear.level()).toBe(0);
      await vi.waitFor(() => expect(ear.level()).toBeGreaterThan(40), SOON);
      const pcm = ear.pcm();
      const loudAt = Array.from({ length: pcm.length / 2 }, (_, at) => pcm.readInt16LE(at * 2)).findIndex(
        (sample) => sample !== 0,
      );
      // Where the machine is busy, little is heard while it chimes; what is heard right after it is silence, too.
      expect(loudAt).toBeGreaterThan(sent);
    });

    it('amplifies what is sent, and measures what is heard', async () => {
      ear.open(1, { gainDb: -24 });
      ear.tell({ type: 'ear.release', turn: 1 });
      room.say(tone(4000));
      await ear.until(isFact('ear.measured', ({ level }) => level > 40));
      await vi.waitFor(() => expect(ear.level()).toBeGreaterThan(2), SOON);
      expect(ear.level()).toBeLessThan(6);
    });

    it('checks the microphone: records, plays and forgets', async () => {
      const short = startEar({ ...room.options, bounds: { ...patientBounds, checkMs: 500 } });
      room.say(tone(6000));
      short.tell({ type: 'ear.check', check: 7, choice: anyChoice });
      const { code, health, level } = await short.checked(7);
      expect({ code, health }).toEqual({ code: null, health: 'ok' });
      expect(level).toBeGreaterThan(40);
      expect(short.kinds()).toEqual(['check.recording', 'check.playing', 'check.ended']);
      expect(short.calls).toEqual([]);
      short.stop();
      await short.settled();
    });

    it('ends a check that is cut, or for which there is no microphone', async () => {
      ear.tell({ type: 'ear.check', check: 7, choice: anyChoice });
      await ear.until(isFact('check.recording'));
      ear.tell({ type: 'ear.end-check', check: 6 });
      ear.tell({ type: 'ear.end-check', check: 7 });
      expect(await ear.checked(7)).toMatchObject({ code: 'cut' });
      ear.tell({ type: 'ear.check', check: 8, choice: anyChoice });
      ear.open(1);
      expect(await ear.checked(8)).toMatchObject({ code: 'cut' });
      await ear.opened(1);
      ear.tell({ type: 'ear.close', turn: 1 });
      await room.plug(false);
      ear.tell({ type: 'ear.check', check: 9, choice: anyChoice });
      expect(await ear.checked(9)).toMatchObject({ code: 'no-device', health: 'no-device', level: 0 });
    });
  });
}
