import { describe, expect, it } from 'vitest';

import { chooseSource } from '#machines/voice/ear-source.ts';
import type { EarChoice, EarSource } from '#machines/voice/events.ts';

const source = (name: string, part: Partial<EarSource> = {}): EarSource => ({
  name,
  title: name,
  kind: 'microphone',
  isDefault: false,
  isMuted: false,
  ...part,
});
const usb = source('usb');
const wall = source('wall', { isDefault: true });
const echo = source('echo', { kind: 'echo-cancelled' });
const headset = source('headset', { kind: 'echo-cancelled', isDefault: true });

function chosen(
  sources: readonly EarSource[],
  audioSource: EarChoice['audioSource'],
  named: string,
  panel: string | null,
): string {
  const found = chooseSource(sources, { audioSource, source: named, gainDb: 0 }, panel);
  return typeof found === 'string' ? `(${found})` : found.name;
}

describe('the source that is recorded', () => {
  it.each<[string, readonly EarSource[], EarChoice['audioSource'], string, string | null, string]>([
    ['the echo-cancelled one, if there is one', [usb, wall, echo], 'voice_recognition', '', null, 'echo'],
    ['the default of several echo-cancelled ones', [echo, headset], 'voice_recognition', '', null, 'headset'],
    ['else the default', [usb, wall], 'voice_recognition', '', null, 'wall'],
    ['the default, for "mic"', [usb, wall, echo], 'mic', '', null, 'wall'],
    ['the only one if the default is a monitor', [usb], 'mic', '', null, 'usb'],
    ['a microphone before an echo-cancelled one', [echo, usb], 'mic', '', null, 'usb'],
    ['an echo-cancelled one if there is no other', [echo], 'mic', '', null, 'echo'],
    ['only an echo-cancelled one, for calls', [usb, wall, echo], 'voice_communication', '', null, 'echo'],
    ['none, for calls without one', [usb, wall], 'voice_communication', '', null, '(no-echo-cancelled)'],
    ['none, without any', [], 'voice_recognition', '', null, '(no-device)'],
    ['none, for calls without any', [], 'voice_communication', '', null, '(no-device)'],
    ['the one of that name', [usb, wall, echo], 'voice_communication', 'usb', null, 'usb'],
    ['no other in place of that name', [usb, wall], 'mic', 'gone', null, '(source-unknown)'],
    ['none of that name, without any', [], 'mic', 'gone', null, '(source-unknown)'],
    ["the panel's own instead of the default", [usb, wall], 'mic', '', 'usb', 'usb'],
    ["no other in place of the panel's own", [usb, wall], 'mic', '', 'builtin', '(no-device)'],
    ["an echo-cancelled one before the panel's own", [usb, echo], 'voice_recognition', '', 'usb', 'echo'],
    ["the owner's before the panel's own", [usb, wall], 'mic', 'wall', 'usb', 'wall'],
  ])('is %s', (_, sources, audioSource, named, panel, expected) =>
    expect(chosen(sources, audioSource, named, panel)).toBe(expected),
  );
});
