import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { type Verdict, working } from '../kit/verdict.ts';
import type { InputCounts, SeenDisplay } from './events.ts';
import { TOUCH_ORIGIN } from './events.ts';

/** Longest time between a touch and the write it caused for the two to belong together, in milliseconds. */
export const WAKE_BOUND_MS: Milliseconds = 10_000;

/** The displays that a touch must light: those that are dark, or about to be. */
export const displaysToWake = (displays: Readonly<Record<string, SeenDisplay>>): readonly string[] =>
  Object.entries(displays)
    .filter(([, { lit, wanted }]) => (wanted ?? lit) === false)
    .map(([id]) => id);

/** Whether nothing is left to wait for: no display is dark, none is being switched. */
export const allSettledLit = (displays: Readonly<Record<string, SeenDisplay>>): boolean =>
  Object.values(displays).every(({ lit, wanted }) => lit !== false && wanted === null);

/** The touch that a wake is measured from: the first one since it was dark, unless that was too long ago to be the cause. */
export const wakeStart = (earlier: EpochMs | null, at: EpochMs): EpochMs => (earlier !== null && at >= earlier && at - earlier < WAKE_BOUND_MS ? earlier : at);

/** Time from a touch to the write that it caused; null when this change is not that write. A clock that was set in between tells nothing. */
export const wakeTime = (touchedAt: EpochMs | null, display: SeenDisplay): Milliseconds | null => {
  const { changed, lit } = display;
  if (touchedAt === null || lit !== true || changed === null || changed.by !== TOUCH_ORIGIN) return null;
  const took = changed.at - touchedAt;
  return took >= 0 && took <= WAKE_BOUND_MS ? took : null;
};

const some = (count: number, one: string, many: string): string[] => (count === 0 ? [] : [count === 1 ? one : `${count} ${many}`]);

/** What is said where devices are listened to. */
export const listeningVerdict = (counts: InputCounts): Verdict => {
  const parts = [...some(counts.touch, 'one touch screen', 'touch screens'), ...some(counts.key, 'one device with keys', 'devices with keys'), ...some(counts.pointer, 'one mouse', 'mice')];
  return working('input-read', `A touch or a key press lights the dark screen at once, also while Home Assistant is away. Listening to ${parts.join(' and ')}.`);
};

/** What is said where the machine shows no touch screen, key or button. */
export const noInput: Verdict = {
  state: 'not_here',
  reason: 'no-input-device',
  detail: 'This machine shows no touch screen, key or button. One that is plugged in later is used within seconds.',
  missing: 'A touch screen, a key or a button that the kernel knows.',
  fix: null,
};

/** What is said where input devices are there and may not be read; `user` is who the agent runs as, null for whoever pastes the command. */
export const inputNotReadable = (user: string | null): Verdict => ({
  state: 'needs_you',
  reason: 'input-not-readable',
  detail: 'There is a touch screen or a key here, and this user may not listen to it, so touching does not light the dark screen.',
  missing: 'The right to read the input devices.',
  fix: {
    command: `sudo usermod -aG input ${user ?? '"$USER"'}`,
    effect: 'Lets the user of Sconce see touches and key presses on this machine. Restart the panel for it to count.',
  },
});
