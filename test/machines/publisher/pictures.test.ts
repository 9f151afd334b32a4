import { describe, expect, it } from 'vitest';

import { shapeOf } from '#machines/entities/shape.ts';
import type { EntityRow, Picture } from '#machines/kit/entity.ts';
import { changedMessages, rowMessages } from '#machines/publisher/announcement.ts';
import { announcedFrom, storedForm } from '#machines/publisher/announced.ts';
import { componentOf, orphanComponent, removalMarker } from '#machines/publisher/discovery.ts';
import { readRow, sameRowValue } from '#machines/entities/row-value.ts';
import type { RowPayloads } from '#machines/publisher/events.ts';
import { encodeRow, withAddress } from '#machines/publisher/state.ts';

const row: EntityRow = {
  entityKind: 'image',
  key: 'still',
  name: 'Still',
  icon: 'mdi:camera',
  actor: 'x',
  available: ({ value }) => value === 'on',
  // The test puts a picture, or none, where an actor has its facts.
  read: ({ context }) => context as Picture | null,
};
const shape = shapeOf(row);
const PAGES = 'http://192.0.2.7:8888/';
const STATE = 'sconce/hall/still/state';
const AVAILABILITY = 'sconce/hall/still/availability';
const path = '/api/still.jpg';

const read = (sequence: number | null, state = 'on', of = path) =>
  readRow(row, { value: state, context: sequence === null ? null : { path: of, sequence } }, shape);
const value = (sequence: number | null, state = 'on', pages: string | null = PAGES): RowPayloads =>
  withAddress(encodeRow('image', read(sequence, state)), pages);
const absent = readRow(row, undefined, shape);
const absentValue = encodeRow('image', absent);

const sent = (before: RowPayloads | undefined, after: RowPayloads) =>
  changedMessages('hall', shape, before, after).map(({ topic, payload, retain }) => [topic, payload, retain]);
const url = [STATE, 'http://192.0.2.7:8888/api/still.jpg', true];
const online = [AVAILABILITY, 'online', true];
const offline = [AVAILABILITY, 'offline', true];

describe('an image', () => {
  it.each([
    ['http://192.0.2.7:8888/', 'http://192.0.2.7:8888/api/still.jpg?res=480p'],
    ['http://[fd00::7]:80/', 'http://[fd00::7]/api/still.jpg?res=480p'],
    [null, null],
  ])('has with pages at %s the state %s', (pages, state) => {
    expect(withAddress(encodeRow('image', read(1, 'on', `${path}?res=480p`)), pages).state).toBe(state);
  });

  it.each<[string, RowPayloads | undefined, RowPayloads, readonly unknown[]]>([
    ['its URL, then that it is there', undefined, value(1), [url, online]],
    ['the same URL for another picture', value(1), value(2), [url]],
    ['the same URL after its actor counts from the start again', value(7), value(1), [url]],
    ['the same URL once it is there again, though the number is the same', absentValue, value(1), [url, online]],
    ['nothing for the same picture', value(1), value(1), []],
    ['only that it is away, while it has a picture', value(1), value(1, 'off'), [offline]],
    ['only that it is back, with the same picture', value(1, 'off'), value(1), [online]],
    ['only that it is away, once its actor is', value(1), absentValue, [offline]],
    ['only that it is away, once it has none', value(1), value(null, 'off'), [offline]],
    ['nothing for one that has no address yet', value(1, 'on', null), value(2, 'on', null), []],
    ['its URL once it has an address', value(1, 'on', null), value(1), [url]],
  ])('is sent as %s', (_, before, after, expected) => {
    expect(sent(before, after)).toEqual(expected);
  });

  it('is part of what a new connection is sent, and never empty', () => {
    const payloads = (of: RowPayloads) => rowMessages('hall', shape, of).map(({ topic, payload }) => [topic, payload]);
    expect(payloads(value(1))).toEqual([url.slice(0, 2), online.slice(0, 2)]);
    for (const none of [absentValue, value(null, 'off'), value(1, 'off', null)])
      expect(payloads(none)).toEqual([offline.slice(0, 2)]);
  });

  it('changes with its number, and with its path', () => {
    expect(sameRowValue(read(1), read(1))).toBe(true);
    expect(sameRowValue(read(1), read(1, 'on', '/b'))).toBe(false);
    expect(sameRowValue(read(1), read(2))).toBe(false);
    expect(sameRowValue(absent, read(1, 'off'))).toBe(false);
  });

  it('is announced by the topic of its URL, with nothing to command', () => {
    const announcer = { panelId: 'hall', installId: 'a'.repeat(32) };
    expect(componentOf(announcer, shape)).toEqual({
      platform: 'image',
      unique_id: 'sconce_hall_still',
      default_entity_id: 'image.hall_still',
      name: 'Still',
      icon: 'mdi:camera',
      url_topic: STATE,
      availability: [{ topic: 'sconce/hall/status/aaaaaaaa' }, { topic: AVAILABILITY }],
      availability_mode: 'all',
    });
  });

  it('is remembered, and swept like any other', () => {
    const mark = { key: 'still', entityKind: 'image' } as const;
    const devices = [{ panelId: 'hall', prefix: 'homeassistant', entries: [{ ...mark, state: 'due' as const }] }];
    expect(announcedFrom(storedForm({ devices }))).toEqual({ devices });
    expect(orphanComponent('hall', mark)).toEqual({
      platform: 'image',
      unique_id: 'sconce_hall_still',
      default_entity_id: 'image.hall_still',
      name: 'still',
      url_topic: STATE,
    });
    expect(removalMarker(mark)).toEqual({ platform: 'image' });
  });
});
