import { describe, expect, it } from 'vitest';

import type { ScreenFact } from '#machines/screen/events.ts';
import { ANSWER_BOUND_MS, PROBE_INTERVAL_MS, RECHECK_MS, RELIGHT_BOUND_MS } from '#machines/screen/machine.ts';

import { display, start } from './start.ts';

const missing: ScreenFact = {
  type: 'display.missing',
  verdict: { state: 'not_here', reason: 'no-backlight-device', detail: 'None.', missing: 'a backlight', fix: null },
};

describe('the screen', () => {
  it('reads at start and writes nothing', () => {
    const { actor, commands, facts } = start();
    expect(actor.getSnapshot().matches({ ready: 'idle' })).toBe(true);
    expect(facts()).toMatchObject({
      lit: true,
      brightness: 100,
      lastBrightness: 100,
      changed: null,
      verdict: { state: 'working' },
    });
    expect(commands).toEqual([]);
  });

  it('writes, and publishes the requested level once it was read back', () => {
    const { actor, writes, answer, kept, facts } = start();
    actor.send({ type: 'screen.set', brightness: 200, origin: 'http' });
    expect(writes()).toEqual([{ type: 'display.write', generation: 1, raw: 200, powered: true }]);
    expect(facts().brightness).toBe(100);
    answer({ raw: 200, powered: true });
    expect(facts()).toMatchObject({
      brightness: 200,
      lastBrightness: 200,
      changed: { by: 'http', at: 5 },
      fault: null,
    });
    expect(kept).toEqual([200]);
  });

  it('writes one at a time; the newest want wins', () => {
    const { actor, writes, answer, facts } = start();
    for (const brightness of [10, 20, 30]) actor.send({ type: 'screen.set', brightness, origin: 'home-assistant' });
    expect(writes()).toHaveLength(1);
    answer({ raw: 10, powered: true });
    expect(writes().map((one) => one.raw)).toEqual([10, 30]);
    answer({ raw: 30, powered: true });
    expect(facts().brightness).toBe(30);
    expect(actor.getSnapshot().matches({ ready: 'idle' })).toBe(true);
  });

  it('shows what it will be once the writes under way are done', () => {
    const { actor, answer, facts } = start();
    expect(facts().wanted).toBeNull();
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    expect(facts()).toMatchObject({ lit: true, wanted: false });
    actor.send({ type: 'screen.set', on: true, origin: 'touch' });
    expect(facts().wanted).toBe(true);
    answer({ raw: 0, powered: false });
    expect(facts()).toMatchObject({ lit: false, wanted: true });
    answer({ raw: 100, powered: true });
    expect(facts()).toMatchObject({ lit: true, wanted: null });
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    actor.send({ type: 'display.lost', reason: 'gone' });
    expect(facts().wanted).toBeNull();
  });

  it('restores the last level when switched on again', () => {
    const { actor, writes, answer, facts } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    answer({ raw: 0, powered: false });
    expect(facts()).toMatchObject({ lit: false, brightness: null, lastBrightness: 100 });
    actor.send({ type: 'screen.set', on: true, origin: 'http' });
    expect(writes().at(-1)).toMatchObject({ raw: 100, powered: true });
  });

  it('says so when no answer comes, takes the late one as a fact, and goes on with the newer want', () => {
    const { actor, clock, writes, answer, facts } = start();
    actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    actor.send({ type: 'screen.set', brightness: 20, origin: 'http' });
    clock.increment(ANSWER_BOUND_MS);
    expect(facts().fault).toBe('no-answer');
    expect(writes().map((one) => one.raw)).toEqual([10, 20]);
    answer({ raw: 10, powered: true }, 1);
    expect(facts()).toMatchObject({ brightness: 10, changed: null, fault: 'no-answer' });
    expect(actor.getSnapshot().matches({ ready: 'writing' })).toBe(true);
    answer({ raw: 20, powered: true });
    expect(facts()).toMatchObject({ brightness: 20, fault: null });
  });

  it('settles a write that is answered after all', () => {
    const { actor, clock, answer, facts, kept } = start();
    actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    clock.increment(ANSWER_BOUND_MS);
    expect(actor.getSnapshot().matches({ ready: 'idle' })).toBe(true);
    answer({ raw: 10, powered: true });
    expect(facts()).toMatchObject({ brightness: 10, changed: { by: 'http', at: 5 }, fault: null, writing: null });
    expect(kept).toEqual([10]);
  });

  it('takes what is seen during a write as a fact', () => {
    const { actor, facts } = start();
    actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    actor.send({ type: 'display.observed', reading: { raw: 60, powered: true }, at: 7 });
    expect(facts()).toMatchObject({ brightness: 60, changed: { by: 'elsewhere', at: 7 } });
    expect(actor.getSnapshot().matches({ ready: 'writing' })).toBe(true);
  });

  it('goes dark by the floor when it learns late that the power switch does nothing', () => {
    const { actor, clock, writes, answer, facts } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    clock.increment(ANSWER_BOUND_MS);
    actor.send({ type: 'display.refused', generation: 1, reason: 'power-not-honoured' });
    expect(writes().at(-1)).toEqual({ type: 'display.write', generation: 2, raw: 1, powered: null });
    answer({ raw: 1, powered: true });
    expect(facts()).toMatchObject({ lit: false, fault: null, display: { power: false } });
  });

  it('keeps a refusal as its fault until the next good write', () => {
    const { actor, answer, facts } = start();
    actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    actor.send({ type: 'display.refused', generation: 1, reason: 'EACCES' });
    expect(facts()).toMatchObject({ fault: 'EACCES', brightness: 100 });
    actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    answer({ raw: 10, powered: true });
    expect(facts().fault).toBeNull();
  });

  it('falls back to the floor when the power switch does nothing', () => {
    const { actor, writes, answer, facts } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    actor.send({ type: 'display.refused', generation: 1, reason: 'power-not-honoured' });
    expect(writes().at(-1)).toEqual({ type: 'display.write', generation: 2, raw: 1, powered: null });
    answer({ raw: 1, powered: true });
    expect(facts()).toMatchObject({
      lit: false,
      lastBrightness: 100,
      fault: null,
      display: { power: false },
      verdict: { reason: 'display-without-power' },
    });
  });

  it('notices changes made elsewhere, and nothing when nothing changed', () => {
    const { actor, facts } = start();
    actor.send({ type: 'display.observed', reading: { raw: 100, powered: true }, at: 8 });
    expect(facts().changed).toBeNull();
    actor.send({ type: 'display.observed', reading: { raw: 30, powered: true }, at: 9 });
    expect(facts()).toMatchObject({ brightness: 30, lastBrightness: 30, changed: { by: 'elsewhere', at: 9 } });
    actor.send({ type: 'display.observed', reading: { raw: 30, powered: false }, at: 10 });
    expect(facts()).toMatchObject({ lit: false, brightness: null, lastBrightness: 30 });
  });

  it('takes the level of an earlier run only while nothing newer is known', () => {
    const early = start({
      type: 'display.found',
      display: { ...display, power: false },
      reading: { raw: 1, powered: true },
      at: 1,
    });
    early.actor.send({ type: 'level.recalled', level: 77 });
    expect(early.facts()).toMatchObject({ lit: false, lastBrightness: 77 });
    const late = start();
    late.actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    late.answer({ raw: 10, powered: true });
    late.actor.send({ type: 'level.recalled', level: 77 });
    expect(late.facts().lastBrightness).toBe(10);
  });

  it('applies the owner’s minimum to the next write', () => {
    const { actor, writes } = start();
    actor.send({ type: 'screen.limits', minimumPercent: 50 });
    actor.send({ type: 'screen.set', brightness: 1, origin: 'http' });
    expect(writes().at(-1)?.raw).toBe(128);
  });

  it('probes every ten seconds while the display is absent, and refuses wants meanwhile', () => {
    const { actor, clock, commands, facts } = start(missing);
    expect(actor.getSnapshot().value).toBe('absent');
    actor.send({ type: 'screen.set', on: true, origin: 'http' });
    expect(facts()).toMatchObject({ fault: 'no-display', verdict: { reason: 'no-backlight-device' } });
    clock.increment(PROBE_INTERVAL_MS);
    clock.increment(PROBE_INTERVAL_MS);
    actor.send({ type: 'screen.probe' });
    expect(commands).toEqual([{ type: 'display.probe' }, { type: 'display.probe' }, { type: 'display.probe' }]);
    actor.send({ type: 'display.found', display, reading: { raw: 9, powered: true }, at: 3 });
    expect(facts()).toMatchObject({ lit: true, brightness: 9, fault: null });
  });

  it('is absent when the display goes, even in the middle of a write', () => {
    const { actor, commands, facts } = start();
    actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    actor.send({ type: 'display.lost', reason: 'ENODEV' });
    expect(actor.getSnapshot().value).toBe('absent');
    expect(facts()).toMatchObject({
      display: null,
      lit: null,
      brightness: null,
      fault: 'ENODEV',
      verdict: { reason: 'display-lost' },
    });
    expect(commands.at(-1)).toEqual({ type: 'display.probe' });
  });

  it('ends as failed when its driver crashes, as stopped when asked', () => {
    const broken = start();
    broken.crash();
    expect(broken.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'display-driver' });
    const asked = start();
    asked.actor.send({ type: 'screen.stop' });
    expect(asked.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });

  it('lights a dark screen on the way out, and ends when that is done', () => {
    const { actor, writes, answer, kept } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    answer({ raw: 0, powered: false });
    actor.send({ type: 'screen.stop' });
    expect(actor.getSnapshot().status).toBe('active');
    expect(writes().at(-1)).toMatchObject({ raw: 100, powered: true });
    answer({ raw: 100, powered: true });
    expect(actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'stopped' },
      context: { lit: true, changed: { by: 'stop' } },
    });
    expect(kept.at(-1)).toBe(100);
  });

  it('takes back the dark that was just asked for', () => {
    const { actor, writes, answer } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    actor.send({ type: 'screen.stop' });
    expect(writes().at(-1)).toMatchObject({ generation: 2, powered: true });
    answer({ raw: 0, powered: false }, 1);
    expect(actor.getSnapshot().status).toBe('active');
    answer({ raw: 100, powered: true }, 2);
    expect(actor.getSnapshot().status).toBe('done');
  });

  it('waits no longer for that light than it may', () => {
    const { actor, clock, answer } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    answer({ raw: 0, powered: false });
    actor.send({ type: 'screen.stop' });
    clock.increment(RELIGHT_BOUND_MS);
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });

  it('stops immediately while the screen gives light, and leaves a dark one alone when it is read-only', () => {
    const lit = start();
    lit.actor.send({ type: 'screen.stop' });
    expect(lit.actor.getSnapshot().status).toBe('done');
    expect(lit.writes()).toEqual([]);
    const dark = start({ type: 'display.found', display, reading: { raw: 100, powered: false }, at: 1 });
    dark.actor.send({ type: 'screen.leave' });
    expect(dark.actor.getSnapshot().status).toBe('done');
    expect(dark.writes()).toEqual([]);
  });

  it('reads a screen that was switched off once more, and says when it turned itself on', () => {
    const { actor, clock, commands, answer, facts } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'home-assistant' });
    answer({ raw: 100, powered: false });
    expect(commands.filter(({ type }) => type === 'display.read')).toEqual([]);
    clock.increment(RECHECK_MS);
    expect(commands.filter(({ type }) => type === 'display.read')).toHaveLength(1);
    actor.send({ type: 'display.observed', reading: { raw: 100, powered: true }, at: 5 + RECHECK_MS });
    expect(facts()).toMatchObject({
      lit: true,
      fault: 'turned-itself-on',
      changed: { by: 'itself', at: 5 + RECHECK_MS },
    });
    actor.send({ type: 'screen.set', on: true, origin: 'home-assistant' });
    answer({ raw: 100, powered: true });
    expect(facts().fault).toBeNull();
  });

  it('reads a screen once more that was to go dark and still gave light', () => {
    const { actor, clock, commands, answer, facts } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'home-assistant' });
    answer({ raw: 100, powered: true });
    expect(facts().fault).toBe('still-lit');
    clock.increment(RECHECK_MS);
    clock.increment(RECHECK_MS);
    expect(commands.filter(({ type }) => type === 'display.read')).toHaveLength(1);
    actor.send({ type: 'display.observed', reading: { raw: 100, powered: false }, at: 5 + RECHECK_MS });
    expect(facts()).toMatchObject({ lit: false, changed: { by: 'elsewhere' } });
  });

  it('does not read a screen once more that was lit meanwhile', () => {
    const { actor, clock, commands, answer } = start();
    actor.send({ type: 'screen.set', on: false, origin: 'home-assistant' });
    answer({ raw: 100, powered: false });
    actor.send({ type: 'screen.set', on: true, origin: 'touch' });
    answer({ raw: 100, powered: true });
    clock.increment(2 * RECHECK_MS);
    expect(commands.filter(({ type }) => type === 'display.read')).toEqual([]);
  });

  it('plans a write anew when its route gave way to another one, with that one’s units', () => {
    const { actor, writes, answer, facts, memory } = start();
    actor.send({ type: 'screen.set', brightness: 255, origin: 'http' });
    const better = { ...display, rawMax: 80, routes: { brightness: 'ddc', power: 'wlopm' } } as const;
    actor.send({ type: 'display.found', display: better, reading: { raw: 40, powered: true }, at: 6 });
    actor.send({ type: 'display.refused', generation: 1, reason: 'route-changed' });
    expect(writes().at(-1)).toMatchObject({ generation: 2, raw: 80 });
    answer({ raw: 80, powered: true });
    expect(facts()).toMatchObject({
      brightness: 255,
      changed: { by: 'http' },
      verdict: { detail: expect.stringContaining('dimmed by the monitor itself and switched off by the compositor') },
    });
    expect(memory.at(-2)).toEqual({
      type: 'routes.keep',
      display: 'test',
      choice: { brightness: 'ddc', power: 'wlopm' },
    });
  });

  it('hands on the routes of an earlier run, and remembers that there was a display', () => {
    const { actor, commands, facts } = start();
    expect(facts().seen).toBe(true);
    actor.send({ type: 'routes.recalled', display: 'test', choice: { brightness: null, power: 'xset' } });
    expect(commands.at(-1)).toEqual({
      type: 'display.prefer',
      display: 'test',
      choice: { brightness: null, power: 'xset' },
    });
    actor.send({ type: 'display.lost', reason: 'gone' });
    expect(facts()).toMatchObject({ seen: true, display: null });
  });

  it('waits for a slow display as long as that needs', () => {
    const { actor, clock, facts } = start({
      type: 'display.found',
      display: { ...display, answerMs: 9000 },
      reading: { raw: 100, powered: true },
      at: 1,
    });
    actor.send({ type: 'screen.set', brightness: 10, origin: 'http' });
    clock.increment(8999);
    expect(facts().fault).toBeNull();
    clock.increment(1);
    expect(facts().fault).toBe('no-answer');
  });

  it('shows a screen that only switches with its one level', () => {
    const { actor, answer, facts } = start({
      type: 'display.found',
      display: { ...display, rawMax: 1 },
      reading: { raw: 1, powered: true },
      at: 1,
    });
    actor.send({ type: 'screen.set', brightness: 40, origin: 'http' });
    answer({ raw: 1, powered: true });
    expect(facts()).toMatchObject({ lit: true, brightness: 255 });
  });
});
