import { z } from 'zod';

import { reading, setting, textUpTo, wholeNumber } from '../kit/fields.ts';
import type { SettingMeta } from '../kit/setting.ts';
import { voicePhases } from '../kit/voice-phase.ts';

const shared = { group: 'voice', scope: 'device', needs: 'microphone' } as const satisfies Partial<SettingMeta>;

/** Range of the gain in decibels (as panel-assistant). */
const gainBounds = { min: -24, max: 24 } as const;

/** Settings of voice, with the names of panel-assistant where it has them. */
export const voiceSettings = z.object({
  voice_enabled: setting(z.boolean(), false, {
    ...shared,
    title: 'Voice assistant',
    help: 'Speak to Home Assistant at this panel. A mark on the screen shows when it listens.',
    tier: 'basic',
    ha: { entityKind: 'switch', icon: 'mdi:microphone-message', key: 'voice_assistant' },
  }),
  microphone_access: setting(z.boolean(), false, {
    ...shared,
    title: 'Microphone allowed',
    help: 'Asked once at the panel itself; without it nothing opens the microphone.',
    tier: 'basic',
    consent: 'MICROPHONE_ACCESS',
  }),
  voice_pipelines: setting(textUpTo(2048), '{}', {
    ...shared,
    title: 'Assist pipelines',
    help: 'Which pipeline of Home Assistant answers, by what begins the turn; the preferred one if it names none.',
    tier: 'advanced',
  }),
  voice_glass_button: setting(z.enum(['auto', 'always', 'never']), 'auto', {
    ...shared,
    title: 'Button on the screen',
    help: 'A round button to speak, over every page; automatic shows it while no wake word is listened for.',
    tier: 'basic',
  }),
  voice_button: setting(textUpTo(64), '', {
    ...shared,
    title: 'Button of the panel',
    help: 'Name of a hardware button that begins a turn, as in Home Assistant; its event stays.',
    tier: 'advanced',
  }),
  voice_show_text: setting(z.boolean(), false, {
    ...shared,
    title: 'Show the words',
    help: 'Shows on the screen what was heard and what is answered, for as long as the turn lasts.',
    tier: 'basic',
  }),
  voice_audio_source: setting(z.enum(['voice_recognition', 'mic', 'voice_communication']), 'voice_recognition', {
    ...shared,
    title: 'Kind of microphone',
    help: 'An echo-cancelled one does not hear what the panel itself plays, if the sound system has one.',
    tier: 'advanced',
  }),
  voice_source: setting(textUpTo(256), '', {
    ...shared,
    title: 'Microphone',
    help: 'Name of one microphone of the sound system; empty chooses by its kind.',
    tier: 'advanced',
  }),
  voice_mic_gain_db: setting(wholeNumber(gainBounds), 0, {
    ...shared,
    title: 'Gain of the microphone',
    help: 'Makes what is sent to Home Assistant louder or quieter.',
    tier: 'advanced',
    unit: 'dB',
  }),
  voice_state: reading(z.enum(voicePhases), {
    ...shared,
    title: 'Voice state',
    help: 'What voice is doing: listening, processing, responding, idle, off or error.',
    tier: 'advanced',
  }),
});
