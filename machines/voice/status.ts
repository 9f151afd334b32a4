import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { ageing } from '../kit/status.ts';
import { voicePhaseOf, voicePhases } from '../kit/voice-phase.ts';
import type { MicrophoneContext } from '../microphone/events.ts';
import { statusSection } from '../subsystem.ts';
import { earHealths, triggerRefusals, triggerSources, type VoiceContext } from './events.ts';
import { refusalOf } from './refusal-of.ts';
import { Times, timesOf } from './times.ts';
import { voiceWords } from './words.ts';

const count = () => z.int().min(0);
/** Voice in the status document: never words, sounds, addresses, names of pipelines or of sound sources. */
export const VoiceStatus = once(() =>
  z
    .object({
      state: z.enum(voicePhases).meta({ description: 'Phase.' }),
      refusal: z.enum(triggerRefusals).nullable().meta({ description: 'Why no turn can begin now; null if one can.' }),
      fault: z.string().nullable().meta({ description: 'Stable code of the phase `error`; null in every other.' }),
      turn: z
        .object({
          source: z.enum(triggerSources).meta({ description: 'What began it.' }),
          round: count().meta({ description: 'Turns of this conversation so far.' }),
        })
        .nullable()
        .meta({ description: 'The running turn; null without one.' }),
      microphone: z
        .object({
          health: z.enum(earHealths).meta({ description: 'As judged last, while it was open.' }),
          level: z.int().meta({ description: 'Peak of the last second in percent; -1 while it is closed.', ...ageing }),
          kind: z
            .enum(['microphone', 'echo-cancelled'])
            .nullable()
            .meta({ description: 'The kind of the one that is used; null without one.' }),
          system: z
            .enum(['pulse', 'alsa', 'simulated', 'none'])
            .nullable()
            .meta({ description: 'What records; null before the first look.' }),
        })
        .meta({ description: 'The microphone.' }),
      has_device: z.boolean().meta({ description: 'Whether Home Assistant knows in which area the panel is.' }),
      last: z
        .object({
          source: z.enum(triggerSources).meta({ description: 'What began it.' }),
          outcome: z.enum(['done', 'cancelled', 'failed']).meta({ description: 'How it ended.' }),
          fault: z
            .string()
            .nullable()
            .meta({ description: 'Stable code of what ended it; null if nothing special did.' }),
          at: z.int().meta({ description: 'When it ended. Milliseconds since the Unix epoch.' }),
          times: Times(),
        })
        .nullable()
        .meta({ description: 'The last turn; null before the first.' }),
      check: z
        .object({
          phase: z.enum(['recording', 'playing', 'passed', 'failed']).meta({ description: 'Progress.' }),
          fault: z.string().nullable().meta({ description: 'Stable code of why it failed; else null.' }),
        })
        .nullable()
        .meta({ description: 'The last check of the microphone; null before the first.' }),
      turns: count().meta({ description: 'Turns since voice was turned on.' }),
      failures: count().meta({ description: 'Those that failed.' }),
      summary: z.string().meta({ description: 'One sentence.' }),
      action: z.string().meta({ description: 'What would change it; `none` if there is nothing to do.' }),
    })
    .meta({ id: 'VoiceStatus', description: 'Voice, without a word of what was said.' }),
);
type VoiceStatus = z.infer<ReturnType<typeof VoiceStatus>>;

function turnOf({ source, round, times }: VoiceContext): VoiceStatus['turn'] {
  return source === null || times === null ? null : { source, round };
}

function lastOf({ last }: VoiceContext): VoiceStatus['last'] {
  if (last === null) return null;
  const { source, outcome, code, at, times } = last;
  return { source, outcome, fault: code, at, times: timesOf(times) };
}

/** Voice for the status document. */
export function voiceStatus(voice: SnapshotView<VoiceContext>, microphone: MicrophoneContext | undefined): VoiceStatus {
  const { context } = voice;
  const state = voicePhaseOf(voice.value);
  const refusal = refusalOf(voice, microphone);
  const { health, level, system, sources, chosen, check, error, hasDevice, turns, failures } = context;
  return {
    state,
    refusal,
    fault: error,
    turn: turnOf(context),
    microphone: { health, level, kind: sources.find(({ name }) => name === chosen)?.kind ?? null, system },
    has_device: hasDevice,
    last: lastOf(context),
    check: check === null ? null : { phase: check.phase, fault: check.code },
    turns,
    failures,
    ...voiceWords(state, refusal, error),
  };
}

export const status = statusSection({
  reads: ['voice', 'microphone'],
  shape: () => ({
    voice: VoiceStatus().nullable().meta({ description: 'Null without a microphone, and while its part restarts.' }),
  }),
  view: ({ read, view }) => {
    const [snapshot, microphone] = [view('voice'), read('microphone')];
    return { voice: snapshot === undefined ? null : voiceStatus(snapshot, microphone) };
  },
});
