import { describe, expect, it } from 'vitest';

import type { VideoDevice } from '#machines/camera/events.ts';
import { unknownRoom } from '#machines/auto-brightness/off.ts';
import { judgeDevices } from '#machines/camera/judge-devices.ts';
import { absentCamera, CameraStatus } from '#machines/camera/status.ts';
import { capabilityRow, diagWord } from '#machines/kit/status.ts';
import type { VerdictState } from '#machines/kit/verdict.ts';
import { HaPathProbe } from '#machines/path-probe/status.ts';
import type { RendererFacts } from '#machines/renderer/facts.ts';
import { initialFacts } from '#machines/renderer/initial.ts';
import { RendererObject } from '#machines/renderer/status.ts';
import { statusView } from '#test/fakes/status-view.ts';
import { permissionsOf } from '#machines/system/permissions.ts';
import { factsFrom } from '#test/fakes/facts.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

const now = factsFrom({}).now;
const shown = settledFacts()['renderer'] as RendererFacts;
const rendererWith = (more: Partial<RendererFacts>) =>
  statusView(factsFrom({ renderer: { ...shown, ...more } })).renderer;
const desiredWith = (theme: 'follow' | 'dark' | 'light' | 'ambient'): RendererFacts['desired'] =>
  shown.desired === null
    ? null
    : { ...shown.desired, appearance: { zoomPercent: 100, theme, kiosk: true, fullscreen: true } };

describe('the renderer', () => {
  it('has ages of what is known, and null for what is not', () => {
    expect(rendererWith({ at: now - 1_500 })).toMatchObject({
      observed_age_ms: 1_500,
      process_age_ms: 1_000_000,
      package_updated_age_ms: null,
      address_family_policy: 'automatic',
    });
    expect(rendererWith({ at: 0 })?.observed_age_ms).toBeNull();
    expect(rendererWith({ at: now + 5 })?.observed_age_ms).toBe(0);
  });

  it.each<['follow' | 'dark' | 'light', Partial<RendererFacts>, string | null]>([
    ['follow', {}, null],
    ['dark', {}, 'dark'],
    ['light', {}, 'light'],
    ['dark', { rendered: false }, null],
    ['dark', { mode: 'external' }, null],
  ])('sets the theme %s where %o: %s', (theme, more, effective) => {
    expect(rendererWith({ desired: desiredWith(theme), ...more })).toMatchObject({
      theme_policy: theme,
      theme_effective: effective,
      theme_overridden: effective !== null,
      theme_ambient: null,
      theme_ambient_reason: null,
      theme_ambient_level: null,
    });
  });

  it('sets the theme by the light of the room, and says why', () => {
    const ambient = { verdict: 'dark', level: 0.25, changesAt: null } as const;
    const brightness = { room: { ...unknownRoom, why: null, sourceAvailable: true, ambient }, decidedAt: 1 };
    const renderer = { ...shown, desired: desiredWith('ambient'), roomVerdict: 'dark' };
    expect(statusView(factsFrom({ renderer, 'auto-brightness': brightness })).renderer).toMatchObject({
      theme_policy: 'ambient',
      theme_effective: 'dark',
      theme_overridden: true,
      theme_ambient: 'dark',
      theme_ambient_reason: 'room_dark',
      theme_ambient_level: 0.25,
    });
    const off = statusView(factsFrom({ renderer, 'auto-brightness': brightness }, { 'auto-brightness': 'off' }));
    expect(off.renderer).toMatchObject({ theme_ambient: null, theme_ambient_reason: 'auto_brightness_off' });
  });

  it('names the fault by its code', () => {
    expect(rendererWith({})?.fault_detail).toBeNull();
    expect(rendererWith({ unreachable: { since: 1, reason: 'name-unknown' } })).toMatchObject({
      fault: 'dns',
      fault_detail: 'name-unknown',
    });
  });

  it('has words for what a later version tells', () => {
    const object = rendererWith({});
    for (const outcome of ['ok_cached', 'unsupported_ha', 'bridge_attach_failed'])
      expect(RendererObject().safeParse({ ...object, outcome }).error).toBeUndefined();
    expect(RendererObject().safeParse({ ...object, outcome: 'splendid' }).success).toBe(false);
  });
});

it('a storage without a database says so in each field of one', () => {
  expect(statusView(factsFrom(settledFacts())).storage_health).toMatchObject({
    wal_bytes: null,
    page_size_bytes: null,
    page_count: null,
    freelist_count: null,
    schema_version: null,
    auto_vacuum: 'unknown',
  });
});

it.each<[VerdictState, string, string]>([
  ['working', '#48c774', 'ok'],
  ['needs_you', '#d9a528', 'degraded'],
  ['off', '#d04a3b', 'none'],
  ['not_here', '#d04a3b', 'none'],
  ['checking', '#888', 'unknown'],
])('a capability that is %s has the colour %s, and the word %s', (state, color, word) => {
  const row = { id: 'led', title: 'LED', state, reason: 'x', detail: 'It is so.', missing: null, fix: null };
  expect(capabilityRow(row)).toEqual({ ...row, name: 'LED', note: 'It is so.', color });
  expect(diagWord(state)).toBe(word);
});

describe('the camera and the path probe', () => {
  it('have words for what a later version tells', () => {
    for (const state of ['disabled', 'permission_needed', 'idle', 'opening', 'live', 'degraded', 'stopping'])
      expect(CameraStatus().safeParse({ ...absentCamera, state, fault: 'starved', fault_detail: null }).error).toBe(
        undefined,
      );
    const probe = statusView(factsFrom({})).ha_path_probe;
    expect(HaPathProbe().safeParse({ ...probe, state: 'healthy', available: 'proven' }).error).toBeUndefined();
    expect(HaPathProbe().safeParse({ ...probe, state: 'splendid' }).success).toBe(false);
  });
});

describe('the rights', () => {
  const device = (access: VideoDevice['access']): VideoDevice => ({
    name: 'Webcam',
    driver: 'uvcvideo',
    index: 0,
    access,
  });
  it.each([
    ['before the first look', null, 'unreadable'],
    ['no camera', judgeDevices([], false), 'not_required'],
    ['none by the profile', judgeDevices(null, true), 'not_required'],
    ['a list that is refused', judgeDevices(null, false), 'unreadable'],
    ['one that may be opened', judgeDevices([device('allowed'), device('refused')], false), 'held'],
    ['none that may be opened', judgeDevices([device('refused')], false), 'missing'],
  ] as const)('of the camera: %s', (_, scan, word) => expect(permissionsOf(scan, null).camera).toBe(word));
});

describe('whether the panel stays reachable', () => {
  it('is unknown, and never said to be safe', () => {
    expect(statusView(factsFrom({})).power_safety).toMatchObject({
      state: 'unknown',
      warning: true,
      reason_codes: [],
      interactive: null,
      power_source: 'unknown',
      screen_off_mechanism: 'none',
      screen_off_selected: null,
    });
  });

  it('tells how the screen is switched off, which is known', () => {
    const screen = {
      verdict: { state: 'working', reason: 'read-back' },
      display: { routes: { brightness: 'backlight', power: 'wlopm' } },
      lit: false,
    };
    expect(statusView(factsFrom({ screen })).power_safety).toMatchObject({
      state: 'unknown',
      interactive: false,
      screen_off_mechanism: 'wlopm',
      screen_off_selected: 'wlopm',
      screen_off_reason: 'read-back',
    });
  });
});

it('a panel whose browser has not started has no age of it', () => {
  expect(statusView(factsFrom({ renderer: initialFacts })).renderer).toMatchObject({
    observed_age_ms: null,
    theme_effective: null,
    fault_detail: null,
  });
});
