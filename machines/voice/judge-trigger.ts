import type { EarFailure, EarSource, Pipelines, TriggerRefusal } from './events.ts';
import { choosePipeline, wantedPipeline } from './choose-pipeline.ts';

/** What decides whether a turn or a check of the microphone can begin. */
export interface TriggerFacts {
  /** True while a turn runs, or its microphone is not closed yet. */
  readonly isBusy: boolean;
  /** True from the moment a check is asked for, until it is over. */
  readonly isChecking: boolean;
  readonly isParked: boolean;
  readonly earFailure: EarFailure | null;
  readonly sources: readonly EarSource[];
  readonly chosen: string | null;
  readonly link: 'live' | 'signed-out' | 'unavailable';
  readonly listed: Pipelines | null;
  /** By what begins a turn. */
  readonly pipelines: Readonly<Record<string, string>>;
}

/** The refusal for each reason of the ear. A microphone that another program holds may be free at the next turn. */
const ofEar: Readonly<Record<EarFailure, TriggerRefusal>> = {
  'no-device': 'no-microphone',
  refused: 'microphone-refused',
  busy: 'no-microphone',
  'no-recorder': 'no-microphone',
  'source-unknown': 'no-microphone',
  'no-echo-cancelled': 'no-microphone',
  moved: 'no-microphone',
  ended: 'no-microphone',
  stalled: 'no-microphone',
  backlog: 'no-microphone',
};

/** Why the microphone cannot be opened now; null if it can. */
export function judgeMicrophone(facts: TriggerFacts): TriggerRefusal | null {
  const { isBusy, isChecking, isParked, earFailure, sources, chosen } = facts;
  if (isChecking) return 'checking';
  if (isBusy) return 'busy';
  if (isParked) return 'parked';
  if (earFailure !== null) return ofEar[earFailure];
  return sources.some(({ name, isMuted }) => name === chosen && isMuted) ? 'microphone-muted' : null;
}

/** Why no turn with this pipeline can begin now, null for that of the settings; null if one can. */
export function judgeTrigger(facts: TriggerFacts, asked: string | null): TriggerRefusal | null {
  const ofMicrophone = judgeMicrophone(facts);
  if (ofMicrophone !== null) return ofMicrophone;
  if (facts.link !== 'live') return facts.link;
  const chosen = choosePipeline(wantedPipeline(asked, facts.pipelines), facts.listed);
  return chosen.ok ? null : chosen.reason;
}
