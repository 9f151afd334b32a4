import { describe, expect, it } from 'vitest';

import { chooseControl, parseAmixer } from '#drivers/volume/amixer.ts';
import { listsCard } from '#drivers/volume/find.ts';
import { parseSinkMute, parseSinkVolume, pulseAudioWatcher } from '#drivers/volume/pactl.ts';
import { missingSound } from '#drivers/volume/verdicts.ts';
import { isDummyNode, parseWpctlVolume } from '#drivers/volume/wpctl.ts';

describe('pactl', () => {
  it.each([
    ['Volume: front-left: 65536 / 100% / 0.00 dB,   front-right: 65536 / 100% / 0.00 dB\n        balance 0.00\n', 100],
    ['Volume: front-left: 26214 /  40% / -23.88 dB,   front-right: 39322 /  60% / -13.31 dB\n', 60],
    ['Volume: mono: 85196 / 130% / 6.84 dB\n', 130],
    ['Volume: front-left: 0 /   0% / -inf dB\n', 0],
    ['Connection failure', null],
  ])('reads %j as %s', (text, percent) => expect(parseSinkVolume(text)).toBe(percent));

  it.each([
    ['Mute: yes\n', true],
    ['Mute: no\n', false],
    ['', null],
  ])('reads %j as %s', (text, muted) => expect(parseSinkMute(text)).toBe(muted));

  it.each([
    ["Event 'change' on sink #0", true],
    ["Event 'change' on server #-1", true],
    ["Event 'change' on sink-input #4", false],
    ["Event 'new' on client #4", false],
  ])('%s concerns the volume: %s', (line, concerns) => expect(pulseAudioWatcher.concerns(line)).toBe(concerns));
});

describe('wpctl', () => {
  it.each([
    ['Volume: 0.40\n', { percent: 40, muted: false }],
    ['Volume: 1.30 [MUTED]\n', { percent: 130, muted: true }],
    ['Volume: 1\n', { percent: 100, muted: false }],
    ["Translate ID error: '@DEFAULT_AUDIO_SINK@' is not a valid ID\n", null],
  ])('reads %j', (text, reading) => expect(parseWpctlVolume(text)).toEqual(reading));

  it('knows the dummy output', () => {
    expect(isDummyNode('  * node.name = "auto_null"\n')).toBe(true);
    expect(isDummyNode('  * node.name = "alsa_output.platform-hdmi"\n')).toBe(false);
  });
});

describe('amixer', () => {
  const header =
    "Simple mixer control 'Master',0\n  Capabilities: pvolume pswitch\n  Playback channels: Front Left - Front Right\n  Limits: Playback 0 - 65536\n";
  it.each([
    [
      `${header}  Mono:\n  Front Left: Playback 26214 [40%] [on]\n  Front Right: Playback 20000 [30%] [on]\n`,
      { percent: 40, muted: false },
    ],
    [
      `${header}  Front Left: Playback 26214 [40%] [-20.00dB] [off]\n  Front Right: Playback 26214 [40%] [-20.00dB] [off]\n`,
      { percent: 40, muted: true },
    ],
    [
      "Simple mixer control 'PCM',0\n  Capabilities: pvolume\n  Limits: Playback 0 - 255\n  Mono: Playback 255 [100%] [0.00dB]\n",
      { percent: 100, muted: false },
    ],
    ["Simple mixer control 'Master',0\n  Capabilities: pswitch\n  Mono: Playback [on]\n", null],
    ["Simple mixer control 'Capture',0\n  Front Left: Capture 10 [50%] [on]\n", null],
  ])('reads %j', (text, reading) => expect(parseAmixer(text)).toEqual(reading));
});

describe('choosing a control', () => {
  it.each([
    ["Simple mixer control 'PCM',0\nSimple mixer control 'Master',0\n", 'Master'],
    ["Simple mixer control 'Headphone Mic Boost',0\nSimple mixer control 'Headphone',0\n", 'Headphone'],
    ["Simple mixer control 'Capture',0\n", null],
  ])('of %j', (text, name) => expect(chooseControl(text)).toBe(name));
});

describe('what is missing', () => {
  it.each([
    [['not-installed', 'no-output', 'failed'], true, 'no-sound-output'],
    [['not-installed', 'not-installed', 'failed'], false, 'no-sound-card'],
    [['not-installed', 'not-installed', 'not-installed'], true, 'no-sound-tool'],
    [['not-installed', 'failed', 'no-answer'], true, 'sound-system-silent'],
  ] as const)('%o, card %s: %s', (refusals, card, reason) => expect(missingSound(refusals, card).reason).toBe(reason));

  it('reads the kernel’s list of cards', () => {
    expect(listsCard('--- no soundcards ---\n')).toBe(false);
    expect(listsCard(' 0 [Loopback       ]: Loopback - Loopback\n                      Loopback 1\n')).toBe(true);
    expect(listsCard('')).toBe(false);
  });
});
