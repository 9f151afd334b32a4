import { describe, expect, it } from 'vitest';

import { codeOf, leftOutcome, mayGoOn, orderedOutcome } from '#machines/reset/decide.ts';
import type { ResetRecord, Withdrawal } from '#machines/reset/events.ts';
import { phaseOf, whyUnresettable } from '#machines/reset/phase.ts';
import { countsOf, previewReset, type ResetView } from '#machines/reset/preview.ts';
import { dueOrder, readRecord, recordSection } from '#machines/reset/record.ts';
import { isReset } from '#machines/reset/scope.ts';
import { descriptors } from '#machines/settings.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

const left: Withdrawal = { status: 'left', reason: 'away', entities: 3, topics: ['homeassistant/device/x/config'] };
const withdrawn: Withdrawal = { status: 'withdrawn', entities: 3 };

it.each<[string, Parameters<typeof whyUnresettable>[0]['value'], boolean, ReturnType<typeof whyUnresettable>]>([
  ['can begin', 'idle', false, null],
  ['waits for a trial', 'idle', true, 'trial'],
  ['waits for the record', { recalling: 'resting' }, true, 'unread'],
  ['waits for another', 'withdrawing', true, 'running'],
  ['waits for a cancellation', 'cancelling', false, 'running'],
  ['waits for the restart', 'done', false, 'running'],
])('a reset %s', (_, value, trial, reason) => {
  expect(whyUnresettable({ value, context: { trial } })).toBe(reason);
});

describe('whether a reset goes on', () => {
  it.each<[string, Withdrawal, boolean, boolean]>([
    ['everything was withdrawn', withdrawn, false, true],
    ['there was nothing to withdraw', { status: 'nothing' }, false, true],
    ['something stays', left, false, false],
    ['something stays, and that was agreed to', left, true, true],
    ['nobody could withdraw it', { status: 'left', reason: 'absent', entities: 0, topics: [] }, false, false],
  ])('%s', (_, withdrawal, withoutBroker, expected) => {
    expect(mayGoOn({ withoutBroker }, withdrawal)).toBe(expected);
  });

  it('says what stays, or what was withdrawn and left behind', () => {
    const { status: _status, ...rest } = left;
    expect(leftOutcome(left)).toEqual({ status: 'entities-left', ...rest });
    expect(orderedOutcome(left)).toEqual({ status: 'ordered', entities: 0, leftBehind: left.topics });
    expect(orderedOutcome(withdrawn)).toEqual({ status: 'ordered', entities: 3, leftBehind: [] });
    expect(orderedOutcome(null)).toEqual({ status: 'ordered', entities: 0, leftBehind: [] });
  });

  it.each([
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'ENOSPC'],
    [new Error('/home/somebody'), 'unknown'],
    [undefined, 'unknown'],
  ])('names an error by its code alone: %s', (error, code) => expect(codeOf(error)).toBe(code));
});

describe('which settings go', () => {
  const keysOf = (scope: 'connection' | 'settings' | 'everything'): readonly string[] =>
    descriptors.map(({ key }) => key).filter((key) => isReset(scope, key));

  it('with the connection', () => {
    expect(keysOf('connection').toSorted()).toEqual([
      'camera_enabled',
      'entity_surface',
      'ha_oauth',
      'ha_token',
      'ha_url',
      'microphone_access',
      'mqtt_address_family',
      'mqtt_broker',
      'mqtt_discovery_prefix',
      'mqtt_password',
      'mqtt_user',
    ]);
  });
  it('with the settings: all but who the panel is', () => {
    const all = descriptors.map(({ key }) => key);
    expect(all.filter((key) => !isReset('settings', key))).toEqual(['panel_id']);
    expect(keysOf('everything')).toEqual(all);
  });
  it.each([
    ['connection', false],
    ['settings', true],
    ['everything', true],
  ] as const)('one that nobody knows, with %s: %s', (scope, goes) => expect(isReset(scope, 'of_tomorrow')).toBe(goes));
});

describe('the record', () => {
  const record: ResetRecord = { state: 'ordered', scope: 'settings', by: 'http', at: 5, leftBehind: 1 };

  it('is read as it was written', () => {
    const section = recordSection(record);
    expect(section).toEqual({ version: 1, state: 'ordered', scope: 'settings', by: 'http', at: 5, left_behind: 1 });
    expect(readRecord(JSON.parse(JSON.stringify(section)))).toEqual(record);
    expect(recordSection(null)).toBeNull();
  });
  it.each([
    ['ordered', recordSection(record), true],
    ['done', recordSection({ ...record, state: 'done' }), false],
    ['never written', null, false],
    ['of another version', { ...recordSection(record), version: 2 }, false],
    ['of another scope', { ...recordSection(record), scope: 'house' }, false],
    ['no record', 'everything', false],
  ])('%s: a start carries out %s', (_, section, due) => expect(dueOrder(section) !== null).toBe(due));
});

it.each([
  ['recalling', 'idle'],
  ['idle', 'idle'],
  ['withdrawing', 'withdrawing'],
  [{ clearing: 'ordering' }, 'clearing'],
  ['restarting', 'restarting'],
  ['done', 'restarting'],
] as const)('the phase of %j is %s', (state, phase) => expect(phaseOf(state)).toBe(phase));

describe('what each would take away', () => {
  // The fake panel's facts have the shapes of the actors' own.
  const facts = settledFacts() as unknown as {
    readonly settings: NonNullable<ResetView['settings']>;
    readonly profiles: NonNullable<ResetView['profiles']>;
    readonly publisher: NonNullable<ResetView['publisher']>;
  };
  const view: ResetView = {
    reset: {
      value: 'idle',
      context: {
        scope: null,
        last: { state: 'ordered', scope: 'settings', by: 'http', at: 5, leftBehind: 0 },
        trial: false,
        comesBack: ['mqtt_password'],
        failure: 'EROFS',
        restartDue: false,
      },
    },
    settings: {
      ...facts.settings,
      values: { ...defaultConfiguration.values, friendly_name: 'Hall', panel_id: 'hall', mqtt_broker: 'mqtt://b' },
      secrets: { mqtt_password: true, ha_token: false },
      expose: {},
    },
    publisher: facts.publisher,
    profiles: facts.profiles,
    filter: undefined,
    history: { entries: [], recalled: true, startedAt: 0 },
    connected: false,
  };

  it('is counted', () => {
    expect(countsOf('connection', view).settings).toBe(2);
    expect(countsOf('settings', view).settings).toBe(3);
    expect(countsOf('everything', view).settings).toBe(4);
    const shown = { ...view.settings, expose: { screen: false } };
    expect(countsOf('connection', { ...view, settings: shown as ResetView['settings'] }).settings).toBe(2);
    expect(countsOf('connection', { ...view, settings: undefined }).settings).toBe(0);
  });
  it('is told with what is going on', () => {
    expect(previewReset(view)).toMatchObject({
      phase: 'idle',
      scope: null,
      broker: 'away',
      entities: 1,
      comes_back: ['mqtt_password'],
      last: { scope: 'settings', at: 5, finished: false, left_behind: 0 },
    });
  });
});
