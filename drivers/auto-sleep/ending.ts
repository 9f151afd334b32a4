import type { SleepDisplay, SleepSet, SleepSettings, StoredSleep } from '#machines/auto-sleep/events.ts';

/** The settings of an owner who turned everything off. */
export const nothingWanted = (settings: SleepSettings): SleepSettings => ({
  ...settings,
  enabled: false,
  offHours: '',
  dimHours: '',
  wakeOnAnnouncement: false,
  wakeOnEntity: '',
});

/**
 * The switches that were decided for the end, and those that light each display that is still darkened. A level is only
 * given back to a display that is lit, or that is lit by this.
 */
export function endingSets(
  decided: readonly SleepSet[],
  { darkened, dimmed = {} }: Pick<StoredSleep, 'darkened' | 'dimmed'>,
  displays: readonly SleepDisplay[],
): readonly SleepSet[] {
  const own = displays.flatMap(({ id: screen, lit }): SleepSet[] => {
    const isLit = lit === true;
    const mine = decided.filter((set) => set.screen === screen);
    const by = isLit || mine.some(({ on }) => on === true) ? undefined : darkened[screen];
    const level = mine.some(({ brightness }) => brightness !== undefined) ? undefined : dimmed[screen];
    if (by === undefined && (level === undefined || !isLit)) return [];
    return [
      {
        type: 'sleep.set',
        screen,
        ...(by === undefined ? {} : { on: true }),
        ...(level === undefined ? {} : { brightness: level }),
        origin: by ?? 'clock',
      },
    ];
  });
  return [...decided, ...own];
}
