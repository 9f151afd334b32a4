import { z } from 'zod';

import type { SettingMeta } from '../kit/setting.ts';
import { voicePhases } from '../kit/voice-phase.ts';

const shared = { group: 'voice', scope: 'device', needs: 'microphone' } as const satisfies Partial<SettingMeta>;

/** Range of the gain in decibels (as panel-assistant). */
const gainBounds = { min: -24, max: 24 } as const;

/** Settings of voice, with the names of panel-assistant where it has them. */
export const voiceSettings = z.object({
  voice_enabled: z
    .boolean()
    .default(false)
    .meta({
      ...shared,
      title: 'Voice assistant',
      help: 'Speak to Home Assistant at this panel. A mark on the screen shows when it listens.',
      tier: 'basic',
      ha: { entityKind: 'switch', icon: 'mdi:microphone-message', key: 'voice_assistant' },
    } satisfies SettingMeta),
  microphone_access: z
    .boolean()
    .default(false)
    .meta({
      ...shared,
      title: 'Microphone allowed',
      help: 'Asked once at the panel itself; without it nothing opens the microphone.',
      tier: 'basic',
      consent: 'MICROPHONE_ACCESS',
    } satisfies SettingMeta),
  voice_pipelines: z
    .string()
    .max(2048)
    .default('{}')
    .meta({
      ...shared,
      title: 'Assist pipelines',
      help: 'Which pipeline of Home Assistant answers, by what begins the turn; the preferred one if it names none.',
      tier: 'advanced',
    } satisfies SettingMeta),
  voice_glass_button: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .meta({
      ...shared,
      title: 'Button on the screen',
      help: 'A round button to speak, over every page; automatic shows it while no wake word is listened for.',
      tier: 'basic',
    } satisfies SettingMeta),
  voice_button: z
    .string()
    .max(64)
    .default('')
    .meta({
      ...shared,
      title: 'Button of the panel',
      help: 'Name of a hardware button that begins a turn, as in Home Assistant; its event stays.',
      tier: 'advanced',
    } satisfies SettingMeta),
  voice_show_text: z
    .boolean()
    .default(false)
    .meta({
      ...shared,
      title: 'Show the words',
      help: 'Shows on the screen what was heard and what is answered, for as long as the turn lasts.',
      tier: 'basic',
    } satisfies SettingMeta),
  voice_audio_source: z
    .enum(['voice_recognition', 'mic', 'voice_communication'])
    .default('voice_recognition')
    .meta({
      ...shared,
      title: 'Kind of microphone',
      help: 'An echo-cancelled one does not hear what the panel itself plays, if the sound system has one.',
      tier: 'advanced',
    } satisfies SettingMeta),
  voice_source: z
    .string()
    .max(256)
    .default('')
    .meta({
      ...shared,
      title: 'Microphone',
      help: 'Name of one microphone of the sound system; empty chooses by its kind.',
      tier: 'advanced',
    } satisfies SettingMeta),
  voice_mic_gain_db: z
    .int()
    .min(gainBounds.min)
    .max(gainBounds.max)
    .default(0)
    .meta({
      ...shared,
      title: 'Gain of the microphone',
      help: 'Makes what is sent to Home Assistant louder or quieter.',
      tier: 'advanced',
      unit: 'dB',
    } satisfies SettingMeta),
  voice_state: z
    .enum(voicePhases)
    .nullable()
    .default(null)
    .meta({
      ...shared,
      title: 'Voice state',
      help: 'What voice is doing: listening, processing, responding, idle, off or error.',
      tier: 'advanced',
      readOnly: true,
      ha: 'reading',
    } satisfies SettingMeta),
});
