const dayMs = 86_400_000;

/** A moment as hours and minutes, with its day if that is a day or more before `now` (both epoch milliseconds). */
export function wallClock(language: string, at: number, now: number): string {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat(
    language,
    now - at < dayMs ? time : { day: 'numeric', month: 'short', ...time },
  ).format(at);
}
