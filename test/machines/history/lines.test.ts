import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '#machines/history/events.ts';
import { linesOf } from '#machines/history/lines.ts';

/** Entries written as `second kind.code`, by one after `by=`, with `x3` at the end for repetitions. */
const entries = (...all: readonly string[]): readonly HistoryEntry[] =>
  all.map((written) => {
    const [second = '', name = '', ...more] = written.split(' ');
    const [kind = '', code = ''] = name.split('.');
    const times = more.find((word) => word.startsWith('x')) ?? 'x1';
    const by = more.find((word) => word.startsWith('by='))?.slice('by='.length) ?? null;
    return { at: Number(second) * 1000, kind, code, by, times: Number(times.slice(1)) };
  });

const read = (...all: readonly string[]): readonly string[] =>
  linesOf(entries(...all)).map(({ at, kind, code, times, joined }) => {
    const what = joined === null ? `${kind}.${code}` : `${joined.code} ${joined.lastedMs / 1000} s`;
    return `${at / 1000} ${what}${times === 1 ? '' : ` x${times}`}`;
  });

describe('a restart is one line', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      'of Home Assistant, with an administrator’s sign-in',
      [
        '10 home-assistant.shutting_down',
        '12 platform.lost',
        '11 dashboard.away',
        '40 home-assistant.starting',
        '50 platform.connected',
        '52 dashboard.back',
        '70 home-assistant.back_online',
      ],
      ['10 home-restarted 60 s'],
    ],
    [
      'of Home Assistant, with something else meanwhile',
      ['10 platform.lost', '20 screen.off', '30 home-assistant.starting', '45 platform.connected', '50 screen.on'],
      ['10 home-restarted 35 s', '20 screen.off', '50 screen.on'],
    ],
    [
      'of Home Assistant that is killed',
      ['10 home-assistant.connection_lost', '15 dashboard.away', '900 dashboard.back', '910 platform.connected'],
      ['10 home-was-unreachable 900 s'],
    ],
    ['of Home Assistant that is not back yet', ['10 platform.lost', '12 dashboard.away'], ['10 home-unreachable 2 s']],
    [
      'of Home Assistant that went again at once',
      ['10 platform.lost', '30 platform.connected', '60 platform.lost', '61 dashboard.away'],
      ['10 home-unreachable 51 s'],
    ],
    [
      'is also a setting that is corrected until it fits',
      [
        '10 configuration.ha_url',
        '20 configuration.mqtt_broker',
        '30 configuration.mqtt_broker',
        '40 configuration.mqtt_broker',
        '900 configuration.mqtt_broker',
      ],
      ['10 configuration.ha_url', '40 configuration.mqtt_broker x3', '900 configuration.mqtt_broker'],
    ],
    [
      'counts what came as a whole, not its most frequent sign',
      ['10 platform.lost x3', '12 broker.lost', '40 broker.connected', '50 platform.connected x3'],
      ['10 both-were-unreachable 40 s'],
    ],
    ['of the broker', ['10 broker.lost', '15 broker.connected', '16 platform.connected'], ['10 broker-was-lost 6 s']],
    [
      'of the machine with both',
      ['10 broker.lost', '11 home-assistant.connection_lost', '60 broker.connected', '95 home-assistant.back_online'],
      ['10 both-were-unreachable 85 s'],
    ],
    [
      'of Sconce',
      ['10 agent.stopped', '14 agent.started', '15 broker.connected', '15 platform.connected x3'],
      ['10 agent-restarted 4 s'],
    ],
    [
      'of Sconce after a power cut',
      ['10 agent.started-after-cut', '15 broker.connected', '19 platform.connected'],
      ['10 agent.started-after-cut'],
    ],
    [
      'twice within an hour, counted by the record',
      ['10 platform.lost x2', '12 dashboard.away x2', '40 dashboard.back x2', '41 platform.connected x2'],
      ['10 home-was-unreachable 31 s x2'],
    ],
  ])('%s', (_, all, lines) => {
    expect(read(...all)).toEqual(lines);
  });
});

describe('what is not one event keeps its own lines', () => {
  it.each<readonly [string, readonly string[]]>([
    ['two outages', ['10 broker.lost', '4000 broker.lost']],
    ['a stop, and a start the next day', ['10 agent.stopped', '90000 agent.started']],
    ['the first start and the set-up', ['10 agent.first-start', '15 broker.connected']],
    ['a connection long after the start', ['10 agent.started', '900 platform.connected']],
    ['an outage that Sconce did not live to see end', ['10 platform.lost', '20 agent.started-after-cut']],
    ['a start that finds Home Assistant gone', ['10 agent.started', '12 dashboard.away']],
    ['anything else', ['1 screen.on', '2 screen.off', '3 part.crashed']],
  ])('%s', (_, all) => {
    expect(read(...all)).toEqual(all);
  });

  it('and an outage before a start does not end after it', () => {
    expect(read('10 platform.lost', '20 agent.stopped', '21 agent.started', '500 platform.connected')).toEqual([
      '10 platform.lost',
      '20 agent-restarted 1 s',
      '500 platform.connected',
    ]);
  });

  it('also when the record is full', () => {
    const all = Array.from(
      { length: 500 },
      (_, index) => `${index * 1000} ${index % 2 === 0 ? 'broker.lost' : 'screen.on'}`,
    );
    expect(read(...all)).toEqual(all);
    expect(linesOf([])).toEqual([]);
  });
});

describe('what watched the camera', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      'is one line from begin to end, beside what happened meanwhile',
      ['10 camera.watched by=player', '20 screen.off', '70 camera.left by=player'],
      ['10 camera-watched 60 s', '20 screen.off'],
    ],
    [
      'is a line for each kind of program',
      [
        '10 camera.watched by=player',
        '20 camera.watched by=frigate',
        '30 camera.left by=player',
        '40 camera.watched by=player',
        '50 camera.left by=frigate',
      ],
      ['10 camera-watched 20 s', '20 camera-watched 30 s', '40 camera.watched'],
    ],
    [
      'ended with the run of the agent',
      ['10 camera.watched by=player', '20 agent.started', '30 camera.watched by=player', '35 camera.left by=player'],
      ['10 camera.watched', '20 agent.started', '30 camera-watched 5 s'],
    ],
    [
      'that was merged, in whole',
      ['10 camera.left by=player x2', '20 camera.on'],
      ['10 camera.left x2', '20 camera.on'],
    ],
  ])('%s', (_, written, lines) => expect(read(...written)).toEqual(lines));
});
