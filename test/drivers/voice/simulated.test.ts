import { describe, expect, it, vi } from 'vitest';

import type { OpenMicrophone } from '#drivers/simulator/said-sound.ts';

import { isFact } from '../run-driver.ts';
import { type Room, earContract } from './ear.contract.ts';
import { anyChoice, patientBounds, startEar, tone } from './hearing.ts';

type State = Omit<OpenMicrophone, 'take'>;
const well: State = { plugged: true, permitted: true, muted: false, stalled: false, jammed: false };

/** A simulated microphone in a quiet room. */
function quietRoom() {
  let state = well;
  let said: Uint8Array = Buffer.alloc(0);
  const device = {
    observe: () => () => {},
    get microphone(): OpenMicrophone {
      return {
        ...state,
        take: (bytes) => {
          const taken = said.subarray(0, bytes);
          said = said.subarray(bytes);
          return taken;
        },
      };
    },
  };
  return {
    device: { kind: 'simulated', device } as const,
    set: (part: Partial<State>): void => {
      state = { ...state, ...part };
    },
    say: (pcm: Buffer): void => {
      said = pcm;
    },
    left: () => said.length,
  };
}

function simulatedRoom(): Promise<Room> {
  const { device, set, say } = quietRoom();
  return Promise.resolve({
    options: { device },
    source: 'simulated',
    system: 'simulated',
    say,
    mute: (muted) => Promise.resolve(set({ muted })),
    plug: (plugged) => Promise.resolve(set({ plugged })),
    recordings: () => Promise.resolve(0),
    reset: () => {
      set(well);
      say(Buffer.alloc(0));
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
  });
}

earContract('the simulated microphone', simulatedRoom);

describe('a simulated microphone', () => {
  it('that jams is busy', async () => {
    const { device, set } = quietRoom();
    set({ jammed: true });
    const ear = startEar({ device });
    ear.tell({ type: 'ear.probe', choice: anyChoice });
    expect(await ear.sources()).toMatchObject({ chosen: 'simulated', failure: 'busy' });
    ear.open(1);
    expect(await ear.failed(1)).toMatchObject({ code: 'busy' });
    ear.stop();
  });

  it('that stalls ends the turn', async () => {
    const { device, set } = quietRoom();
    const ear = startEar({ device, bounds: { ...patientBounds, openMs: 300, stalledMs: 300 } });
    ear.open(1);
    await ear.opened(1);
    set({ stalled: true });
    expect(await ear.failed(1)).toMatchObject({ code: 'stalled' });
    await ear.closed(1);
    ear.tell({ type: 'ear.check', check: 1, choice: anyChoice });
    expect(await ear.checked(1)).toMatchObject({ code: 'stalled', health: 'stalled' });
    ear.stop();
  });

  it('is never silent', async () => {
    const { device } = quietRoom();
    const ear = startEar({ device });
    ear.open(1);
    expect(await ear.until(isFact('ear.measured'))).toMatchObject({ health: 'ok', level: 1 });
    ear.stop();
  });

  it('is heard exactly, and the newest four seconds of it are kept', async () => {
    const { device, say, left } = quietRoom();
    const ear = startEar({ device, bounds: { ...patientBounds, heldMs: 100 } });
    ear.open(1);
    await ear.opened(1);
    const spoken = tone(300);
    say(spoken);
    await vi.waitFor(() => expect(left()).toBe(0), { timeout: 15_000 });
    ear.tell({ type: 'ear.release', turn: 1 });
    expect(ear.pcm().length).toBeLessThanOrEqual(3200);
    const { length } = ear.pcm();
    say(spoken);
    await vi.waitFor(() => expect(ear.pcm().length).toBeGreaterThan(length + spoken.length + 3200), {
      timeout: 15_000,
    });
    expect(ear.pcm().includes(spoken)).toBe(true);
    ear.stop();
  });

  it('tells of words that were finished in time and then not taken', async () => {
    const { device } = quietRoom();
    const ear = startEar({ device });
    ear.open(1);
    await ear.opened(1);
    ear.tell({ type: 'ear.release', turn: 1 });
    ear.tell({ type: 'ear.finish', turn: 1 });
    await ear.closed(1);
    expect(ear.calls.at(-1)).toBe('finish 1');
    ear.overdue();
    expect(ear.facts.at(-1)).toMatchObject({ type: 'ear.failed', turn: 1, code: 'backlog' });
    ear.stop();
  });

  it('is closed with the driver', async () => {
    const { device } = quietRoom();
    const ear = startEar({ device });
    ear.open(1);
    await ear.opened(1);
    ear.tell({ type: 'ear.release', turn: 1 });
    ear.stop();
    await ear.settled();
    const { length } = ear.pcm();
    const { facts } = ear;
    const count = facts.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect([ear.pcm().length, facts.length]).toEqual([length, count]);
  });
});
