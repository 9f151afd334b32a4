import { describe, expect, it } from 'vitest';

import { createRefusalReports, REPORT_PAUSE_MS } from '#actors/publisher/refusal-reports.ts';

/** Reports with a clock that the test steps: what was reported, as `key reason`. */
function start() {
  const reported: string[] = [];
  const due: { readonly at: number; readonly fn: () => void }[] = [];
  let now = 0;
  const reports = createRefusalReports({
    report: (key, refusal) => void reported.push(`${key} ${refusal?.reason ?? 'none'}`),
    guard: (fn) => fn,
    after: (ms, fn) => {
      const one = { at: now + ms, fn };
      due.push(one);
      return () => void due.splice(due.indexOf(one), 1);
    },
  });
  return {
    ...reports,
    refuse: (key: string, reason: string) => reports.refused(key, { reason, message: 'No.' }),
    pass: (ms: number) => {
      now += ms;
      for (const one of due.filter(({ at }) => at <= now)) {
        due.splice(due.indexOf(one), 1);
        one.fn();
      }
    },
    /** What was reported since the last call. */
    heard: () => reported.splice(0),
    timers: () => due.length,
  };
}

describe('the refusals of an entity', () => {
  it('are reported at once, and no longer once a command was taken', () => {
    const t = start();
    t.taken('volume');
    expect(t.heard()).toEqual([]);
    t.refuse('volume', 'out-of-range');
    expect(t.heard()).toEqual(['volume out-of-range']);
    t.pass(REPORT_PAUSE_MS);
    t.taken('volume');
    t.taken('volume');
    expect(t.heard()).toEqual(['volume none']);
    t.pass(REPORT_PAUSE_MS);
    t.taken('volume');
    expect([t.heard(), t.timers()]).toEqual([[], 0]);
  });

  it('are one report in a pause, that of the newest command, each entity alone', () => {
    const t = start();
    for (let time = 0; time < 50; time += 1) t.refuse('navigate', `r${time}`);
    t.refuse('volume', 'malformed');
    expect(t.heard()).toEqual(['navigate r0', 'volume malformed']);
    t.taken('volume');
    t.pass(REPORT_PAUSE_MS);
    expect(t.heard()).toEqual(['navigate r49', 'volume none']);
    t.pass(REPORT_PAUSE_MS);
    t.pass(REPORT_PAUSE_MS);
    expect([t.heard(), t.timers()]).toEqual([[], 0]);
  });

  it('are reported again where the next one is refused too', () => {
    const t = start();
    t.refuse('navigate', 'bad-path');
    t.pass(REPORT_PAUSE_MS);
    t.refuse('navigate', 'bad-path');
    expect(t.heard()).toEqual(['navigate bad-path', 'navigate bad-path']);
  });

  it('end with the bridge', () => {
    const t = start();
    t.refuse('navigate', 'bad-path');
    t.refuse('navigate', 'not-shown');
    t.stop();
    t.pass(REPORT_PAUSE_MS);
    expect([t.heard(), t.timers()]).toEqual([['navigate bad-path'], 0]);
  });
});
