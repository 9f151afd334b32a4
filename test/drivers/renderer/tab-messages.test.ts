import { describe, expect, test } from 'vitest';

import { tabMessage } from '#drivers/renderer/tab-messages.ts';

const id = '0123456789abcdef0123456789abcdef';

describe('a message of the page of a question', () => {
  test.each([
    { type: 'ready' },
    { type: 'seen', id, visible: true },
    { type: 'seen', id, visible: false },
    { type: 'pressed', id },
    { type: 'released', id },
    { type: 'touched', id },
    { type: 'answered', id, answer: 'hold' },
    { type: 'answered', id, answer: 'deny' },
    { type: 'answered', id, answer: 'ignore' },
  ] as const)('is taken as it is: $type $visible $answer', (message) => {
    expect(tabMessage(JSON.stringify(message))).toEqual(message);
    expect(tabMessage(JSON.stringify({ ...message, more: 1 }))).toEqual(message);
  });

  test.each([
    ['no JSON', 'hold'],
    ['no object', '"pressed"'],
    ['null', 'null'],
    ['an unknown type', JSON.stringify({ type: 'approved', id })],
    ['no id', JSON.stringify({ type: 'pressed' })],
    ['an id that is too short', JSON.stringify({ type: 'pressed', id: id.slice(1) })],
    ['an id that is too long', JSON.stringify({ type: 'pressed', id: `${id}0` })],
    ['an id of other characters', JSON.stringify({ type: 'pressed', id: id.toUpperCase() })],
    ['an id that is no text', JSON.stringify({ type: 'pressed', id: 1 })],
    ['no visibility', JSON.stringify({ type: 'seen', id })],
    ['a visibility that is text', JSON.stringify({ type: 'seen', id, visible: 'true' })],
    ['no answer', JSON.stringify({ type: 'answered', id })],
    ['an unknown answer', JSON.stringify({ type: 'answered', id, answer: 'approve' })],
    ['too much', JSON.stringify({ type: 'pressed', id, more: 'x'.repeat(200) })],
  ])('is dropped if it has %s', (_, payload) => {
    expect(tabMessage(payload)).toBeNull();
  });
});
