import { describe, expect, it } from 'vitest';

import { observePanel } from '#actors/auto-sleep-panel.ts';
import type { Holds } from '#machines/auto-sleep/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const none: Holds = { announcement: false, calibration: false, ownPages: false, dashboard: false };
const browser = (path: string | null) => ({ path, lastEnd: null });
const sensor = (waves: number, stage: string | null = null) => ({
  waves,
  session: stage === null ? null : { stage },
});

/** Watches a registry with fixed facts, and notes what it says. */
function observed(contexts: Readonly<Record<string, unknown>>, stayAwake = '') {
  const registry = fakeRegistry(contexts);
  const touches: string[] = [];
  const holds: Holds[] = [];
  const brightness: boolean[] = [];
  const end = observePanel(registry)(stayAwake, {
    onTouched: (isWave) => void touches.push(isWave ? 'wave' : 'touch'),
    onHolds: (now) => void holds.push(now),
    onBrightness: (isAutomatic) => void brightness.push(isAutomatic),
  });
  return { registry, touches, holds, brightness, end, now: () => holds.at(-1) };
}

describe('touches', () => {
  it('are those since the beginning', () => {
    const { registry, touches, end } = observed({ input: { last: { at: 5 } } });
    expect(touches).toEqual([]);
    registry.put('input', { last: { at: 6 } });
    registry.put('input', { last: { at: 6 } });
    // A restart: it has not been touched since.
    registry.put('input', undefined);
    registry.put('input', { last: null });
    expect(touches).toEqual(['touch']);
    registry.put('input', { last: { at: 9 } });
    expect(touches).toEqual(['touch', 'touch']);
    // The clock was set back.
    registry.put('input', { last: { at: 8 } });
    expect(touches).toHaveLength(3);
    end();
    registry.put('input', { last: { at: 12 } });
    expect(touches).toHaveLength(3);
  });

  it('include waves', () => {
    const { registry, touches } = observed({ proximity: sensor(3) });
    registry.put('proximity', sensor(4));
    registry.put('proximity', sensor(0));
    expect(touches).toEqual(['wave']);
  });
});

describe('the screen is held lit', () => {
  it('by nothing on a panel without all this', () => {
    expect(observed({}).holds).toEqual([none]);
  });

  it('by a turn of voice, as by an announcement', () => {
    const { registry, now } = observed({ voice: { times: null } });
    expect(now()).toEqual(none);
    registry.put('voice', { times: { opened: 5 } });
    expect(now()).toEqual({ ...none, announcement: true });
    registry.put('voice', undefined);
    expect(now()).toEqual(none);
  });

  it('while an announcement plays', () => {
    const { registry, now } = observed({ announcer: { phase: 'downloading' } });
    expect(now()).toEqual(none);
    registry.put('announcer', { phase: 'playing' });
    expect(now()).toEqual({ ...none, announcement: true });
    registry.put('announcer', { phase: 'idle' });
    expect(now()).toEqual(none);
  });

  it('while a person is guided through a calibration', () => {
    const { registry, now } = observed({ proximity: sensor(0, 'near') });
    expect(now()).toEqual({ ...none, calibration: true });
    registry.put('proximity', sensor(0, 'timed_out'));
    expect(now()).toEqual(none);
  });

  it('while the panel’s own pages are open', () => {
    const { registry, now } = observed({});
    registry.put('renderer', browser('/'), { up: 'settings' });
    expect(now()).toEqual({ ...none, ownPages: true });
    registry.put('renderer', browser('/glass'), { up: 'offline' });
    expect(now()).toEqual(none);
  });

  it.each([
    ['/cooking', '/cooking', true],
    ['/cooking', '/cooking/timers?edit=1', true],
    ['/cooking/timers', '/cooking/timers/', true],
    ['/cooking/timers', '/cooking/list', false],
    ['/cooking', '/cooking-new', false],
    ['/cooking', null, false],
    ['', '/cooking', false],
  ])('by the dashboard %s while %s is shown: %s', (stayAwake, path, dashboard) => {
    const { registry, now } = observed({}, stayAwake);
    registry.put('renderer', browser(path), { up: 'showing' });
    expect(now()).toEqual({ ...none, dashboard });
    registry.put('renderer', browser(path), { up: 'loading' });
    expect(now()).toEqual(none);
  });
});

it('knows if the automatic brightness sets the level', () => {
  const { registry, brightness } = observed({});
  const room = (state: string) => ({ room: { state } });
  registry.put('auto-brightness', room('unavailable'), 'watching');
  registry.put('auto-brightness', room('following'), 'watching');
  registry.put('auto-brightness', room('following'), 'off');
  expect(brightness).toEqual([false, false, true, false]);
});
