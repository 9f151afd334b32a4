import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { EAR_BOUNDS, listen } from '#drivers/voice/listening.ts';
import type { Recorder, RecordingHooks } from '#drivers/voice/recorder.ts';
import { judgeCheck, judgeHealth } from '#machines/voice/ear-health.ts';
import type { EarFact, EarSource } from '#machines/voice/events.ts';

const source: EarSource = { name: 'mic', title: 'Mic', kind: 'microphone', isDefault: true, isMuted: false };

/** 20 ms of sound, or of none. */
const block = (isFlat: boolean): Buffer =>
  Buffer.from(Int16Array.from({ length: 320 }, (_, at) => (isFlat ? 0 : at)).buffer);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a microphone that is muted while it is open', () => {
  it.each([100, 500, 950])('is judged muted within 1.3 s, %i ms after the last report', async (intoMs) => {
    const began = Date.now();
    const facts: EarFact[] = [];
    const given: RecordingHooks[] = [];
    const recorder: Recorder = {
      system: 'pulse',
      list: () => Promise.resolve([source]),
      refusal: () => Promise.resolve(null),
      record: (_, its) => {
        given.push(its);
        return { close: () => {}, gone: new Promise(() => {}) };
      },
      play: () => Promise.resolve(true),
    };
    const choice = { audioSource: 'mic', source: '', gainDb: 0 } as const;
    const listening = listen(
      choice,
      { onData: () => {}, onSure: () => {} },
      {
        recorders: [recorder],
        choose: () => source,
        panelSource: null,
        rules: { choose: () => source, judgeHealth, judgeCheck },
        bounds: EAR_BOUNDS,
        elapsed: () => Date.now() - began,
        send: (fact) => void facts.push(fact),
        guard: (fn) => fn,
      },
    );
    const pass = async (ms: number, isFlat: boolean): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 20) {
        // oxlint-disable-next-line no-await-in-loop -- one block after another
        await vi.advanceTimersByTimeAsync(20);
        given[0]?.onData(block(isFlat));
      }
    };
    await pass(1000 + intoMs, false);
    given[0]?.onMuted(true);
    // What is still in the pipe.
    await pass(60, false);
    await pass(1240, true);
    const healths = facts.flatMap((fact) => (fact.type === 'ear.measured' ? [fact.health] : []));
    expect([healths[0], healths.at(-1)]).toEqual(['ok', 'muted']);
    listening.close();
  });
});
