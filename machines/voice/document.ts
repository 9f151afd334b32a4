import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { SettingValue } from '../kit/setting.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { voicePhaseOf } from '../kit/voice-phase.ts';
import type { MicrophoneContext } from '../microphone/events.ts';
import {
  earFailures,
  earHealths,
  type TriggerRefusal,
  triggerRefusals,
  triggerSources,
  type VoiceContext,
  voicePhases,
} from './events.ts';
import { pipelinesOf } from './pipelines-of.ts';
import { refusalOf } from './refusal-of.ts';
import { Times, timesOf } from './times.ts';

/** Whether the microphone may be used, as `MicrophonePermission`. */
const permissions = [
  'allowed',
  'needed',
  'asking',
  'denied',
  'no-place',
] as const satisfies readonly MicrophoneContext['permission'][];

const Health = once(() =>
  z.enum(earHealths).meta({ description: 'Health as judged last; once a second while the microphone is open.' }),
);

/** Answer of `GET /api/v1/voice/microphone`. */
export const MicrophoneDocument = once(() =>
  z
    .object({
      state: z.enum(voicePhases).meta({ description: 'Phase of voice.' }),
      enabled: z.boolean().meta({ description: 'Whether voice is turned on.' }),
      permission: z.enum(permissions).meta({
        description:
          'Whether a person at the panel allowed the microphone; `asking` while the question is on its screen, `no-place` if it has none: `sconce microphone allow`.',
      }),
      refusal: z.enum(triggerRefusals).nullable().meta({ description: 'Why no turn can begin now; null if one can.' }),
      fault: z.string().nullable().meta({ description: 'Code of the phase `error`; null in every other phase.' }),
      health: Health(),
      level: z.int().meta({ description: 'Peak of the last second in percent; -1 while the microphone is closed.' }),
      system: z
        .enum(['pulse', 'alsa', 'simulated', 'none'])
        .nullable()
        .meta({ description: 'Sound system that is used; null before it was looked for.' }),
      sources: z
        .array(
          z.object({
            name: z.string().meta({ description: 'Value for the setting `voice_source`.' }),
            title: z.string().meta({ description: 'Name for people.' }),
            kind: z.enum(['microphone', 'echo-cancelled']).meta({ description: 'Kind of source.' }),
            default: z.boolean().meta({ description: 'Whether it is the default of the sound system.' }),
            muted: z.boolean().meta({ description: 'Whether the sound system mutes it.' }),
          }),
        )
        .meta({ description: 'Sources that can be recorded; empty while voice is off.' }),
      chosen: z.string().nullable().meta({ description: 'Name of the one that is used; null if none can be.' }),
      failure: z
        .enum(earFailures)
        .nullable()
        .meta({ description: 'Why none can be used; null if one can, or before the first look.' }),
      choice: z
        .object({
          audio_source: z.string().meta({ description: 'Setting `voice_audio_source`.' }),
          source: z.string().meta({ description: 'Setting `voice_source`.' }),
          gain_db: z.number().meta({ description: 'Setting `voice_mic_gain_db`.' }),
        })
        .meta({ description: 'What the settings ask for.' }),
      check: z
        .object({
          check: z.int().meta({ description: 'Its number.' }),
          phase: z.enum(['recording', 'playing', 'passed', 'failed']).meta({ description: 'Its phase.' }),
          code: z.string().nullable().meta({ description: 'Why it failed; null otherwise.' }),
          health: Health(),
          level: z.int().meta({ description: 'Peak of the three seconds in percent; -1 while unknown.' }),
        })
        .nullable()
        .meta({ description: 'The newest check; null before the first.' }),
      last: z
        .object({
          turn: z.int().meta({ description: 'Its number.' }),
          source: z.enum(triggerSources).meta({ description: 'What began it.' }),
          outcome: z.enum(['done', 'cancelled', 'failed']).meta({ description: 'How it ended.' }),
          code: z.string().nullable().meta({ description: 'Why; null for no reason.' }),
          times: Times(),
          at: z.int().meta({ description: 'When it ended, in milliseconds since the Unix epoch.' }),
        })
        .nullable()
        .meta({ description: 'The last turn: codes and times, never words.' }),
    })
    .meta({ id: 'VoiceMicrophone', description: 'The microphone, and whether it can be used.' }),
);
export type MicrophoneDocument = z.infer<ReturnType<typeof MicrophoneDocument>>;

/** Answer of `GET /api/v1/voice/pipelines`. */
export const PipelinesDocument = once(() =>
  z
    .object({
      pipelines: z
        .array(
          z.object({
            id: z.string().meta({ description: 'Its id.' }),
            name: z.string().meta({ description: 'Its name.' }),
            hears: z.boolean().meta({ description: 'False without speech-to-text: it cannot be used here.' }),
            speaks: z.boolean().meta({ description: 'False without text-to-speech: it answers without a sound.' }),
          }),
        )
        .meta({ description: 'The Assist pipelines of Home Assistant.' }),
      preferred: z.string().nullable().meta({ description: 'Id of the preferred one; null if there is none.' }),
      press: z
        .string()
        .nullable()
        .meta({ description: 'Id of the one chosen for a press of the button; null for the preferred one.' }),
    })
    .meta({ id: 'VoicePipelines', description: 'The pipelines, and which one answers.' }),
);
export type PipelinesDocument = z.infer<ReturnType<typeof PipelinesDocument>>;

/** Facts and settings that the documents are made from. */
export interface VoiceFacts {
  readonly voice: SnapshotView<VoiceContext>;
  readonly microphone: MicrophoneContext;
  readonly values: Readonly<Record<string, SettingValue>>;
}

/** The microphone as its route tells it. */
export function microphoneDocument({ voice, microphone, values }: VoiceFacts): MicrophoneDocument {
  const { context } = voice;
  return {
    state: voicePhaseOf(voice.value),
    enabled: microphone.isVoiceOn,
    permission: microphone.permission,
    refusal: refusalOf(voice, microphone),
    fault: context.error,
    health: context.health,
    level: context.level,
    system: context.system,
    sources: context.sources.map(({ name, title, kind, isDefault, isMuted }) => ({
      name,
      title,
      kind,
      default: isDefault,
      muted: isMuted,
    })),
    chosen: context.chosen,
    failure: context.earFailure,
    choice: {
      audio_source: String(values['voice_audio_source'] ?? ''),
      source: String(values['voice_source'] ?? ''),
      gain_db: Number(values['voice_mic_gain_db'] ?? 0),
    },
    check: context.check,
    last: context.last === null ? null : { ...context.last, times: timesOf(context.last.times) },
  };
}

/** Pipeline of a press; null for the preferred one. */
function pressedPipeline(text: SettingValue | undefined): string | null {
  const id = typeof text === 'string' ? pipelinesOf(text)?.['press'] : undefined;
  return id === undefined || id === '' ? null : id;
}

/** Why the pipelines are not known. */
function missingPipelines({ voice, microphone }: VoiceFacts): TriggerRefusal {
  if (voicePhaseOf(voice.value) === 'off') return refusalOf(voice, microphone) ?? 'off';
  const { link } = voice.context;
  return link === 'live' ? 'unavailable' : link;
}

/** The pipelines, or why they are not known. */
export function pipelinesDocument(facts: VoiceFacts): PipelinesDocument | { readonly missing: TriggerRefusal } {
  const { listed } = facts.voice.context;
  if (listed === null) return { missing: missingPipelines(facts) };
  return {
    pipelines: listed.pipelines.map(({ id, name, hears, speaks }) => ({ id, name, hears, speaks })),
    preferred: listed.preferred,
    press: pressedPipeline(facts.values['voice_pipelines']),
  };
}
