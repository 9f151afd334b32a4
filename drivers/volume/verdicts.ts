import type { Verdict } from '#machines/kit/verdict.ts';

import type { MixerRefusal } from './mixer.ts';

const noOutput: Verdict = {
  state: 'not_here',
  reason: 'no-sound-output',
  detail: 'The sound system is running but has no output (only a dummy), so nothing can be heard.',
  missing: 'A speaker or sound card.',
  fix: null,
};
const noCard: Verdict = {
  state: 'not_here',
  reason: 'no-sound-card',
  detail: 'This machine shows no sound card, and no sound system answers.',
  missing: 'A sound card.',
  fix: null,
};
const noTool: Verdict = {
  state: 'needs_you',
  reason: 'no-sound-tool',
  detail: 'This machine has a sound card, but none of wpctl, pactl and amixer is installed to set its volume.',
  missing: 'A tool that sets the volume.',
  fix: {
    command: 'sudo apt-get install -y alsa-utils',
    effect: 'Installs amixer, with which Sconce sets the volume of the sound card.',
  },
};
const silent = (user: string): Verdict => ({
  state: 'needs_you',
  reason: 'sound-system-silent',
  detail: 'This machine has a sound card, but the sound system did not answer this user.',
  missing: 'A sound system that answers.',
  fix: {
    command: `sudo usermod -aG audio ${user} && sudo loginctl enable-linger ${user}`,
    effect:
      'Lets the user of Sconce use the sound card and keeps that user’s sound system running when nobody is logged in. Restart the panel for it to take effect.',
  },
});

/**
 * Derives the verdict from the refusal of each route and whether the kernel shows a sound card; `user` is the name the
 * agent runs under.
 */
export function missingSound(refusals: readonly MixerRefusal[], hasCard: boolean, user: string | null = null): Verdict {
  if (refusals.includes('no-output')) return noOutput;
  if (!hasCard) return noCard;
  return refusals.every((refusal) => refusal === 'not-installed') ? noTool : silent(user ?? '"$USER"');
}
