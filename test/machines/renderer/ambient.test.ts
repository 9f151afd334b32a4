import { describe, expect, it, test } from 'vitest';
import type { RoomView } from '#machines/auto-brightness/events.ts';
import { unknownRoom } from '#machines/auto-brightness/off.ts';
import { ambientView, appearanceOf, verdictIn } from '#machines/renderer/ambient.ts';
import { desiredPageOf } from '#machines/renderer/desired-page.ts';
import type { RoomVerdict, ThemePolicy } from '#machines/renderer/facts.ts';
import { desired, start } from './start.ts';

const wearing = (theme: ThemePolicy) => ({ ...desired, appearance: { ...desired.appearance, theme } });
const ambient = wearing('ambient');

const room = (more: Partial<RoomView> = {}, verdict: RoomVerdict = null, level: number | null = null): RoomView => ({
  ...unknownRoom,
  state: 'following',
  why: null,
  sourceKind: 'panel',
  sourceAvailable: true,
  ...more,
  ambient: { verdict, level, changesAt: null },
});
const away = { state: 'unavailable', why: 'source-away', sourceAvailable: false } as const;
const none = { state: 'unavailable', why: 'no-source', sourceKind: null, sourceAvailable: false } as const;
const facts = (of: RoomView, value = 'active') => ({ value, context: { room: of, decidedAt: 1 } });

test.each([
  ['Follow Home Assistant', 'follow'],
  ['Dark', 'dark'],
  ['Light', 'light'],
  ['Ambient', 'ambient'],
  ['constructor', 'follow'],
])('the setting %s is the policy %s', (dashboard_theme, theme) => {
  const around = { mode: 'auto', simulated: false, port: 1 } as const;
  expect(desiredPageOf({ dashboard_theme }, around).appearance.theme).toBe(theme);
});

test.each<[ThemePolicy, RoomVerdict, string]>([
  ['ambient', 'dark', 'dark'],
  ['ambient', 'light', 'light'],
  ['ambient', null, 'follow'],
  ['follow', 'dark', 'follow'],
  ['dark', 'light', 'dark'],
  ['light', null, 'light'],
])('with the policy %s and the verdict %s the page gets %s', (theme, roomVerdict, worn) => {
  expect(appearanceOf({ desired: wearing(theme), roomVerdict })).toEqual({ ...desired.appearance, theme: worn });
});

test.each<[string, ReturnType<typeof facts> | undefined, ReturnType<typeof verdictIn>]>([
  ['while its part restarts', undefined, null],
  ['while it starts', facts(unknownRoom), null],
  ['while it is off', facts(unknownRoom, 'off'), 'none'],
  ['without a source', facts(room(none)), 'none'],
  ['before the first verdict', facts(room()), 'none'],
  ['in a dark room', facts(room({}, 'dark')), 'dark'],
  ['held while the source is away', facts(room(away, 'light')), 'light'],
])('the verdict %s', (_, snapshot, verdict) => expect(verdictIn(snapshot)).toBe(verdict));

describe('the status', () => {
  test.each<[string, ReturnType<typeof facts> | undefined, RoomVerdict, RoomVerdict, string, number | null]>([
    ['dark', facts(room({}, 'dark', 0.123)), 'dark', 'dark', 'room_dark', 0.12],
    ['light', facts(room({}, 'light', 1)), 'light', 'light', 'room_light', 1],
    ['dark, in between', facts(room({}, 'dark', 0.5)), 'dark', 'dark', 'room_dark', 0.5],
    ['held', facts(room(away, 'dark')), 'dark', 'dark', 'holding_source_unavailable', null],
    ['held through a restart', undefined, 'light', 'light', 'holding_source_unavailable', null],
    ['held while it starts', facts(unknownRoom), 'light', 'light', 'holding_source_unavailable', null],
    ['to come', facts(room({}, null, 0.5)), null, null, 'waiting_for_verdict', 0.5],
    ['to come, its source away', facts(room(away)), null, null, 'waiting_for_verdict', null],
    ['to come, its part away', undefined, null, null, 'waiting_for_verdict', null],
    ['off', facts(unknownRoom, 'off'), 'dark', null, 'auto_brightness_off', null],
    ['impossible', facts(room(none)), null, null, 'no_light_source', null],
  ])('of a verdict that is %s', (_, snapshot, roomVerdict, theme, reason, level) => {
    expect(ambientView({ desired: ambient, roomVerdict }, snapshot)).toEqual({
      theme_ambient: theme,
      theme_ambient_reason: reason,
      theme_ambient_level: level,
    });
  });

  test.each<ThemePolicy>(['follow', 'dark', 'light'])('says nothing of the room with the policy %s', (theme) => {
    expect(
      Object.values(ambientView({ desired: wearing(theme), roomVerdict: 'dark' }, facts(room({}, 'dark', 0.1)))),
    ).toEqual([null, null, null]);
  });
});

describe('a new verdict', () => {
  const begin = (theme: ThemePolicy) => {
    const renderer = start({ appearance: { ...desired.appearance, theme } });
    return { ...renderer, decide: (verdict: RoomVerdict) => renderer.send({ type: 'room.changed', verdict }) };
  };

  it('is worn by the open page, which is neither loaded again nor left', () => {
    const { show, decide, commands, launches, facts: now } = begin('ambient');
    expect(launches[0]?.appearance.theme).toBe('follow');
    show();
    const [before, generation] = [commands.length, now().generation];
    decide('dark');
    decide('light');
    decide(null);
    expect(commands.slice(before)).toEqual(
      (['dark', 'light', 'follow'] as const).map((theme) => ({
        type: 'page.appearance',
        appearance: { ...desired.appearance, theme },
      })),
    );
    expect(now()).toMatchObject({ phase: 'showing', generation, rendered: true, restarts: [] });
  });

  it('is what the next browser starts with', () => {
    const { ended, pass, decide, launches } = begin('ambient');
    decide('dark');
    ended('killed');
    pass(1000);
    expect(launches.map(({ appearance }) => appearance.theme)).toEqual(['follow', 'dark']);
  });

  it('is worn once the setting asks for it', () => {
    const { show, decide, send, last } = begin('follow');
    show();
    decide('dark');
    expect(last('page.appearance')).toMatchObject({ appearance: { theme: 'follow' } });
    send({ type: 'page.desired', desired: ambient });
    expect(last('page.appearance')).toMatchObject({ appearance: { theme: 'dark' } });
  });

  it('tries no failed dashboard again', () => {
    const { ready, settle, decide, commands, facts: now } = begin('ambient');
    ready();
    settle('unreachable');
    const before = now();
    const loads = commands.filter(({ type }) => type === 'page.load').length;
    decide('dark');
    expect(commands.filter(({ type }) => type === 'page.load')).toHaveLength(loads);
    expect(now()).toEqual({ ...before, roomVerdict: 'dark' });
  });
});
