import type { EventObject } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { voiceAssist } from '#actors/voice-assist.ts';
import { voiceReply } from '#actors/voice-reply.ts';
import { voiceSurroundings } from '#actors/voice-surroundings.ts';
import type { ReplyProgress } from '#machines/announcer/events.ts';
import type { HomeAssistantEmitted, Reading } from '#machines/home-assistant/events.ts';
import type {
  AssistCommand,
  AssistFact,
  ReplyCommand,
  ReplyFact,
  VoiceSurroundingsFact,
} from '#machines/voice/events.ts';
import { voiceSettings } from '#machines/voice/settings.ts';
import { createClock, timersOf } from '#test/fakes/kit-clock.ts';
import { type FakeRegistry, fakeRegistry } from '#test/fakes/registry.ts';
import { runDriver } from '../drivers/run-driver.ts';

const elapsed = (): number => 77;
const now = (): number => 1_000_077;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A registry with the given facts, and what Home Assistant emits by `emit`. */
function house(contexts: Readonly<Record<string, unknown>>) {
  const fake = fakeRegistry(contexts);
  const handlers = new Set<(event: HomeAssistantEmitted) => void>();
  const listen = (_: string, type: string, handler: (event: HomeAssistantEmitted) => void): (() => void) => {
    const own = (event: HomeAssistantEmitted): void => {
      if (event.type === type) handler(event);
    };
    handlers.add(own);
    return () => handlers.delete(own);
  };
  return {
    // The followers here listen to Home Assistant alone.
    registry: { ...fake, listen: listen as FakeRegistry['listen'] },
    put: fake.put,
    told: (id: string): readonly unknown[] => fake.told.flatMap((one) => (one.id === id ? [one.event] : [])),
    types: (id: string): string => fake.told.flatMap((one) => (one.id === id ? [one.event.type] : [])).join(' '),
    emit: (event: HomeAssistantEmitted): void => {
      for (const handler of handlers) handler(event);
    },
  };
}

describe('the carrier of turns', () => {
  const begin: AssistCommand = {
    type: 'assist.begin',
    turn: 3,
    pipelineId: 'home',
    deviceId: 'device',
    conversationId: null,
  };
  const start = (contexts: Readonly<Record<string, unknown>> = { 'home-assistant': {} }) => {
    const t = house(contexts);
    const driver = runDriver<AssistCommand, AssistFact>(voiceAssist({ registry: t.registry, elapsed }));
    stops.push(driver.stop);
    return { ...t, ...driver };
  };
  const turn = (fact: AssistFact): HomeAssistantEmitted => ({ type: 'home-assistant.turn', fact });
  const lost: AssistFact = { type: 'assist.failed', turn: 3, code: 'unavailable', at: 77 };

  it('begins a turn at Home Assistant, and passes on what becomes of it', () => {
    const t = start();
    t.tell(begin);
    expect(t.told('home-assistant')).toEqual([{ ...begin, type: 'home-assistant.begin-turn' }]);
    t.emit(turn({ type: 'assist.started', turn: 3, at: 5 }));
    expect(t.facts).toEqual([{ type: 'assist.started', turn: 3, at: 5 }]);
    t.tell({ type: 'assist.cancel', turn: 3 });
    expect(t.told('home-assistant').at(-1)).toEqual({ type: 'home-assistant.cancel-turn', turn: 3 });
  });

  it('passes on the error that follows the end', () => {
    const t = start();
    t.tell(begin);
    t.emit(turn({ type: 'assist.ended', turn: 3, at: 5 }));
    t.emit(turn({ type: 'assist.failed', turn: 3, code: 'timeout', at: 6 }));
    expect(t.facts.map(({ type }) => type)).toEqual(['assist.ended', 'assist.failed']);
  });

  it('fails without its part, and when its part ends', () => {
    const none = start({});
    none.tell(begin);
    expect(none.facts).toEqual([lost]);
    const t = start();
    t.tell(begin);
    t.put('home-assistant', undefined);
    t.put('home-assistant', {});
    expect(t.facts).toEqual([lost]);
  });

  it('cancels a turn that runs when voice ends, and none that is over', () => {
    const t = start();
    t.tell(begin);
    t.stop();
    expect(t.types('home-assistant')).toBe('home-assistant.begin-turn home-assistant.cancel-turn');
    const over = start();
    over.tell(begin);
    over.emit(turn({ type: 'assist.ended', turn: 3, at: 5 }));
    over.stop();
    expect(over.types('home-assistant')).toBe('home-assistant.begin-turn');
  });
});

describe('the answer in the lane of announcements', () => {
  const start = (contexts: Readonly<Record<string, unknown>> = { announcer: { generation: 4, reply: null } }) => {
    const t = house(contexts);
    const driver = runDriver<ReplyCommand, ReplyFact>(voiceReply({ registry: t.registry, now, elapsed }));
    stops.push(driver.stop);
    const lane = (
      phase: ReplyProgress['phase'],
      change: { generation?: number; reason?: string; turn?: number } = {},
    ) =>
      t.put('announcer', {
        generation: change.generation ?? 4,
        reply: { turn: change.turn ?? 2, phase, reason: change.reason ?? null },
      });
    return { ...t, ...driver, lane };
  };
  const play: ReplyCommand = { type: 'reply.play', turn: 2, url: 'http://home/a.mp3' };
  const ended = (code: string | null): ReplyFact => ({ type: 'reply.ended', turn: 2, code, at: 77 });
  const taken: ReplyFact = { type: 'lane.taken', at: 77 };
  const playing: ReplyFact = { type: 'reply.playing', turn: 2, at: 77 };

  it('is handed over, and told when it sounds and ends', () => {
    const t = start();
    t.tell(play);
    expect(t.told('announcer')).toEqual([
      { type: 'announcement.reply', turn: 2, url: 'http://home/a.mp3', at: 1_000_077 },
    ]);
    for (const phase of ['queued', 'downloading', 'playing', 'playing', 'ended', 'ended'] as const) t.lane(phase);
    expect(t.facts).toEqual([playing, ended(null)]);
  });

  it.each<[string, (t: ReturnType<typeof start>) => void, readonly ReplyFact[]]>([
    [
      'fails by its code',
      (t) => t.lane('failed', { reason: 'source-unreachable' }),
      [ended('reply-source-unreachable')],
    ],
    ['finds an announcement in the lane', (t) => t.lane('ended'), [ended('replaced')]],
    [
      'is replaced by an announcement',
      (t) => {
        t.lane('playing');
        t.lane('ended', { generation: 5 });
      },
      [playing, ended('replaced'), taken],
    ],
    ['is in a part that ends', (t) => t.put('announcer', undefined), [ended('reply-no-player')]],
    ['is not that of an earlier turn', (t) => t.lane('ended', { turn: 1 }), []],
  ])('%s', (_, happen, facts) => {
    const t = start();
    t.tell(play);
    happen(t);
    expect(t.facts).toEqual(facts);
  });

  it('reports announcements at any time, but none of those before', () => {
    const t = start();
    expect(t.facts).toEqual([]);
    t.put('announcer', { generation: 5, reply: null });
    expect(t.facts).toEqual([taken]);
    // Another run of its part counts from the start.
    t.put('announcer', undefined);
    t.put('announcer', { generation: 0, reply: null });
    expect(t.facts).toEqual([taken]);
  });

  it('is silent on a panel without a loudspeaker, and fails while its part is away', () => {
    const none = start({});
    none.tell(play);
    expect(none.facts).toEqual([ended(null)]);
    const away = start();
    away.put('announcer', undefined);
    const registry = { ...away.registry, ids: () => ['announcer' as const] };
    const driver = runDriver<ReplyCommand, ReplyFact>(voiceReply({ registry, now, elapsed }));
    stops.push(driver.stop);
    driver.tell(play);
    expect(driver.facts).toEqual([ended('reply-no-player')]);
  });

  it('keeps other sound quiet until it is told, or voice ends', () => {
    const t = start();
    t.tell({ type: 'reply.duck' });
    // The next run of the part knows nothing of it.
    t.put('announcer', undefined);
    t.put('announcer', { generation: 0, reply: null });
    t.tell({ type: 'reply.unduck' });
    t.tell({ type: 'reply.unduck' });
    expect(t.types('announcer')).toBe('announcer.hold-duck announcer.hold-duck announcer.release-duck');
    const cut = start();
    cut.tell({ type: 'reply.duck' });
    cut.tell(play);
    cut.stop();
    expect(cut.types('announcer')).toBe(
      'announcer.hold-duck announcement.reply announcement.stop-reply announcer.release-duck',
    );
  });

  it('is stopped, and then over', () => {
    const t = start();
    t.tell(play);
    t.tell({ type: 'reply.stop', turn: 2 });
    t.lane('ended');
    expect([t.types('announcer'), t.facts]).toEqual(['announcement.reply announcement.stop-reply', []]);
  });
});

describe('what voice depends on', () => {
  const values = voiceSettings.parse({});
  const start = () => {
    const t = house({
      settings: { values },
      identity: { panelId: 'hall' },
      'sign-in': { phase: 'signed-in', revision: 1 },
      'home-assistant': { route: { number: 1 } },
    });
    const clock = createClock();
    const driver = runDriver<EventObject, VoiceSurroundingsFact>(
      voiceSurroundings({ registry: t.registry, now, elapsed, timers: timersOf(clock) }),
    );
    stops.push(driver.stop);
    const of = <T extends VoiceSurroundingsFact['type']>(type: T) =>
      driver.facts.flatMap((fact) => (fact.type === type ? [fact as Extract<VoiceSurroundingsFact, { type: T }>] : []));
    return {
      ...t,
      ...driver,
      clock,
      of,
      read: (reading: Reading): void => t.emit({ type: 'home-assistant.read-out', reading }),
    };
  };
  const device = (id: string, name: string) => ({
    id,
    areaId: null,
    identifiers: [['mqtt', name]] as const,
    labels: [],
  });

  it('is told by the settings, as they are and whenever they change', () => {
    const t = start();
    expect(t.of('options.changed')).toEqual([
      {
        type: 'options.changed',
        choice: { audioSource: 'voice_recognition', source: '', gainDb: 0 },
        pipelines: {},
        screenButton: 'auto',
        showsWords: false,
      },
    ]);
    const changed = { voice_pipelines: '{"press":"radio"}', voice_show_text: true, voice_audio_source: 'mic' };
    t.put('settings', { values: { ...values, ...changed } });
    expect(t.of('options.changed').at(-1)).toMatchObject({
      choice: { audioSource: 'mic' },
      pipelines: { press: 'radio' },
      showsWords: true,
    });
    t.put('settings', { values: { ...values, voice_pipelines: 'no json' } });
    expect(t.of('options.changed').at(-1)?.pipelines).toEqual({});
  });

  it('watches pipelines and the device, after a restart again, and no longer once it ends', () => {
    const t = start();
    const topics = (): string =>
      t
        .told('home-assistant')
        .map((event) => JSON.stringify(event).replaceAll(/[^a-z-]+/g, ' '))
        .join('|');
    const both =
      ' type home-assistant watch watcher voice-device topics kind devices | type home-assistant watch watcher voice topics kind pipelines ';
    expect(topics()).toBe(both);
    t.put('home-assistant', undefined);
    t.put('home-assistant', { route: null });
    expect(topics().startsWith(`${both}|${both}`)).toBe(true);
    const before = t.told('home-assistant').length;
    t.stop();
    expect(t.told('home-assistant').slice(before)).toEqual([
      { type: 'home-assistant.watch', watcher: 'voice-device', topics: [] },
      { type: 'home-assistant.watch', watcher: 'voice', topics: [] },
    ]);
  });

  it('reads the pipelines again each minute, and tells a change only', () => {
    const t = start();
    const before = t.told('home-assistant').length;
    t.clock.pass(121_000, 1000);
    const again = { type: 'home-assistant.watch', watcher: 'voice', topics: [{ kind: 'pipelines' }] };
    expect(t.told('home-assistant').slice(before)).toEqual([again, again]);
    const list = (preferred: string): Reading => ({ kind: 'pipelines', pipelines: [], preferred });
    t.read(list('a'));
    t.read(list('a'));
    t.read(list('b'));
    expect(t.of('pipelines.changed').map(({ listed }) => listed?.preferred)).toEqual(['a', 'b']);
  });

  it('finds the device of this panel by its identifier', () => {
    const t = start();
    t.read({ kind: 'devices', devices: [device('other', 'sconce_kitchen')] });
    expect(t.of('device.changed')).toEqual([]);
    t.read({ kind: 'devices', devices: [device('other', 'sconce_kitchen'), device('own', 'sconce_hall')] });
    t.put('identity', { panelId: 'kitchen' });
    t.read({ kind: 'devices', devices: [] });
    expect(t.of('device.changed').map(({ deviceId }) => deviceId)).toEqual(['own', 'other', null]);
  });

  it('knows whether a turn can be carried, and what time it is', () => {
    const t = start();
    t.put('home-assistant', { route: null });
    t.put('sign-in', { phase: 'refused', revision: 2 });
    // A part that restarts knows nothing yet.
    t.put('sign-in', undefined);
    t.put('sign-in', { phase: 'needed', revision: 0 });
    const links = t.of('link.changed').map(({ link }) => link);
    expect(links.filter((link, at) => link !== links[at - 1])).toEqual(['live', 'unavailable', 'signed-out']);
    expect(t.of('clock.read')[0]).toEqual({ type: 'clock.read', moment: 1_000_077, at: 77 });
  });
});
