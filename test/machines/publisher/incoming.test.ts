import type { StateValue } from 'xstate';
import { describe, expect, it } from 'vitest';

import type { IncomingEvent, PublishedPanel, PublisherPhase } from '#machines/publisher/events.ts';
import { type IncomingCommand, meaningIn } from '#machines/publisher/incoming.ts';
import { phaseOf } from '#machines/publisher/phase.ts';

const panel: PublishedPanel = {
  panelId: 'hall',
  installId: 'a'.repeat(32),
  friendlyName: 'Hall',
  manufacturer: '',
  model: '',
  version: '1',
  configurationUrl: null,
  prefix: 'ha',
  hidden: [],
  shapes: [
    { key: 'volume', entityKind: 'number', name: 'Volume', range: { min: 0, max: 100, step: 1 }, attributes: false },
  ],
};

describe('what a message from the broker means', () => {
  it.each<[string, string, boolean, IncomingEvent | IncomingCommand | null]>([
    ['sconce/hall/barrier/aaaaaaaa', 'echo', false, { type: 'sync.returned' }],
    ['sconce/hall/barrier/bbbbbbbb', 'echo', false, null],
    ['sconce/hall/owner', 'x', true, { type: 'owner.changed', panelId: 'hall', owner: 'x' }],
    ['sconce/old/owner', '', true, { type: 'owner.changed', panelId: 'old', owner: '' }],
    ['sconce/hall/status/bbbbbbbb', 'online', true, { type: 'status.changed', install: 'bbbbbbbb', status: 'online' }],
    ['sconce/hall/status/aaaaaaaa', 'online', true, { type: 'status.changed', install: 'aaaaaaaa', status: 'online' }],
    ['sconce/hall/status/aaaaaaaa', 'offline', false, { type: 'own-status.lost' }],
    ['ha/status', 'online', false, { type: 'homeAssistant.born' }],
    ['ha/status', 'online', true, null],
    ['ha/status', 'offline', false, { type: 'homeAssistant.left', now: true }],
    ['ha/status', 'offline', true, { type: 'homeAssistant.left', now: false }],
    ['ha/status', 'otherwise', false, { type: 'homeAssistant.left', now: false }],
    ['ha/device/sconce_hall/config', '', false, { type: 'device.removed' }],
    ['ha/device/sconce_hall/config', '', true, null],
    ['ha/device/sconce_hall/config', '{}', false, null],
    ['sconce/hall/volume/set', '7', false, { type: 'command', key: 'volume', command: { ok: true, value: 7 } }],
    [
      'sconce/hall/volume/set',
      'x',
      false,
      { type: 'command', key: 'volume', command: { ok: false, reason: 'malformed', message: expect.any(String) } },
    ],
    ['sconce/hall/volume/set', '7', true, null],
    ['sconce/hall/screen/set', '{"state":"ON"}', false, null],
    ['sconce/hall/volume/state', '7', false, null],
    ['elsewhere', '', false, null],
  ])('%s %s (retained: %s)', (topic, payload, retained, event) => {
    expect(meaningIn(panel, { topic, payload, retained })).toEqual(event);
  });
});

describe('the phase of the publisher', () => {
  it.each<[StateValue, PublisherPhase]>([
    [{ loading: 'reading' }, 'waiting'],
    ['restarting', 'waiting'],
    ['waiting', 'waiting'],
    [{ claiming: 'confirming' }, 'claiming'],
    [{ duplicate: 'leaving' }, 'duplicate'],
    [{ active: { announcing: 'publishing' } }, 'announcing'],
    [{ active: { announcing: 'reshaping' } }, 'announcing'],
    [{ active: { live: 'gathering' } }, 'live'],
    [{ active: { live: 'settled' } }, 'live'],
    [{ active: { live: 'reshaping' } }, 'live'],
    ['failed', 'waiting'],
  ])('in %o is %s', (state, phase) => {
    expect(phaseOf(state)).toBe(phase);
  });
});
