import type { SleepDisplay, SleepSet, SleepSettings, StoredSleep } from '#machines/auto-sleep/events.ts';
import { screenIds } from '#machines/screen/events.ts';

/** The settings of an owner who turned everything off. */
export const nothingWanted = (settings: SleepSettings): SleepSettings => ({
  ...settings,
  enabled: false,
  offHours: '',
  dimHours: '',
  wakeOnAnnouncement: false,
  wakeOnEntity: '',
});

/** The switches that were decided for the end, and those that light each display that is still darkened. */
export function endingSets(
  decided: readonly SleepSet[],
  { darkened }: Pick<StoredSleep, 'darkened'>,
  displays: readonly SleepDisplay[],
): readonly SleepSet[] {
  const lit = screenIds.flatMap((screen): SleepSet[] => {
    const by = darkened[screen];
    const isDone = decided.some((set) => set.screen === screen && set.on === true);
    const isLit = displays.some(({ id, lit: isOn }) => id === screen && isOn === true);
    return by === undefined || isDone || isLit ? [] : [{ type: 'sleep.set', screen, on: true, origin: by }];
  });
  return [...decided, ...lit];
}
