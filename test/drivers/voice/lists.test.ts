import { describe, expect, it } from 'vitest';

import { parseCards } from '#drivers/voice/alsa-cards.ts';
import { parseDefault, parseSources, parseUsed } from '#drivers/voice/pulse-lists.ts';

const row = (part: object): object => ({ index: 3, name: 'mic', description: 'Microphone', mute: false, ...part });
const listed = (...rows: readonly object[]) => parseSources(JSON.stringify(rows), 'mic');

describe('a source of the sound server', () => {
  it('has a name, a title and a number', () =>
    expect(listed(row({ mute: true }))).toEqual([
      { index: 3, name: 'mic', title: 'Microphone', kind: 'microphone', isDefault: true, isMuted: true },
    ]));

  it.each([
    [{ monitor_source: 'panel' }],
    [{ properties: { 'device.class': 'monitor' } }],
    [{ name: 'panel.monitor' }],
    [{ name: '' }],
    [{ name: '(null)' }],
    [{ name: 'x'.repeat(257) }],
    [{ name: 7 }],
    [{ index: '3' }],
  ])('is none with %j', (part) => expect(listed(row(part))).toEqual([]));

  it.each([
    [{ driver: 'module-echo-cancel.c' }, 'echo-cancelled'],
    [{ driver: 'PipeWire', properties: { 'node.link-group': 'echo-cancel-911-33' } }, 'echo-cancelled'],
    [{ driver: 'PipeWire', name: 'echo-cancel-source' }, 'echo-cancelled'],
    [{ driver: 'PipeWire', properties: { 'node.name': 'effect_input.echo_cancel' } }, 'echo-cancelled'],
    // The class of every filter: a remapped source has it as well.
    [{ driver: 'module-remap-source.c', properties: { 'device.class': 'filter' } }, 'microphone'],
    [{ driver: 'module-alsa-card.c', properties: { 'device.class': 'sound' } }, 'microphone'],
  ])('with %j is of the kind %s', (part, kind) => expect(listed(row(part))?.[0]?.kind).toBe(kind));

  it('is titled by its name if pactl cannot write the title', () =>
    expect(listed(row({ description: '(null)' }))?.[0]?.title).toBe('mic'));

  it('has a title of at most 128 characters', () =>
    expect(listed(row({ description: 'x'.repeat(500) }))?.[0]?.title).toHaveLength(128));

  it.each([[''], ['{}'], ['Connection failure: Timeout'], ['[1, 2']])('is unknown by %j', (text) =>
    expect(parseSources(text, '')).toBeNull(),
  );

  it('is one of 32 at most', () =>
    expect(listed(...Array.from({ length: 50 }, (_, index) => row({ index, name: `mic${index}` })))).toHaveLength(32));
});

describe('the default source', () => {
  it.each([
    ['{"default_source_name":"mic"}', 'mic'],
    ['{}', null],
    ['[]', null],
    ['', null],
  ])('by %j is %j', (text, expected) => expect(parseDefault(text)).toBe(expected));
});

describe('the source that a process records', () => {
  const output = { index: 1, source: 4, properties: { 'application.process.id': '77' } };
  it.each<[string, number | null]>([
    [JSON.stringify([{ index: 0, source: 2 }, output]), 4],
    [JSON.stringify([{ ...output, properties: { 'application.process.id': '78' } }]), -1],
    [JSON.stringify([{ ...output, source: 'x' }]), -1],
    [JSON.stringify([{ ...output, source: 4_294_967_295 }]), -1],
    ['[]', -1],
    ['{}', null],
    ['', null],
  ])('by %j is %j', (text, expected) => expect(parseUsed(text, 77)).toBe(expected));
});

const CARDS = ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH
                      HDA Intel PCH at 0xf7210000 irq 31
 1 [Loopback       ]: Loopback - Loopback
                      Loopback 1
 2 [C920           ]: USB-Audio - HD Pro Webcam - C920
                      HD Pro Webcam C920 at usb-0000:00:14.0-1, high speed
`;
const PCM = `00-03: HDMI 0 : HDMI 0 : playback 1
01-01: Loopback PCM : Loopback PCM : playback 8 : capture 8
01-00: Loopback PCM : Loopback PCM : playback 8 : capture 8
02-01: USB Audio : USB Audio : capture 1
`;

describe('the cards of the kernel', () => {
  it('that record are listed with their first device for it', () =>
    expect(parseCards(CARDS, PCM)).toEqual([
      { number: 1, id: 'Loopback', title: 'Loopback', device: 0 },
      { number: 2, id: 'C920', title: 'C920', device: 1 },
    ]));

  it.each([
    ['--- no soundcards ---\n', ''],
    ['', PCM],
    [CARDS, ''],
    [' 1 [a b]: x - y', '01-00: x : x : capture 1'],
  ])('are none in %j', (cards, pcm) => expect(parseCards(cards, pcm)).toEqual([]));
});
