import type { EarChoice, EarFailure, EarSource } from './events.ts';

/**
 * The source to record, or why there is none. A source that the owner chose by name comes first, then the settings'
 * kind; `panelSource` is the one that the profile names, which then takes the place of the sound system's default.
 */
export function chooseSource(
  sources: readonly EarSource[],
  { audioSource, source }: EarChoice,
  panelSource: string | null,
): EarSource | EarFailure {
  if (source !== '') return sources.find(({ name }) => name === source) ?? 'source-unknown';
  if (sources.length === 0) return 'no-device';
  const cancelled = sources.filter(({ kind }) => kind === 'echo-cancelled');
  const best = cancelled.find(({ isDefault }) => isDefault) ?? cancelled[0];
  if (audioSource === 'voice_communication') return best ?? 'no-echo-cancelled';
  if (audioSource === 'voice_recognition' && best !== undefined) return best;
  if (panelSource !== null) return sources.find(({ name }) => name === panelSource) ?? 'no-device';
  return (
    // The default may be a loudspeaker's monitor, which is never listed: then any microphone is better.
    sources.find(({ isDefault }) => isDefault) ??
    sources.find(({ kind }) => kind === 'microphone') ??
    sources[0] ??
    'no-device'
  );
}
