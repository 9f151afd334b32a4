import { type Verdict, working } from '../kit/verdict.ts';
import type { DisplayFacts, RouteName } from './events.ts';

/** What does it, in the owner's words. */
const by: Readonly<Record<RouteName, string>> = {
  adb: 'by the Android panel',
  backlight: 'by its backlight',
  wlopm: 'by the compositor',
  kscreen: 'by KDE',
  xset: 'by the X server',
  ddc: 'by the monitor itself',
  dimming: 'by darkening the picture',
};

/** The verdict on a display that was found and can be written to: what it can do, by which route, and what it lacks. */
export function foundVerdict(display: DisplayFacts): Verdict {
  const { routes, remark, name } = display;
  const way = (route: RouteName | null | undefined): string =>
    route === null || route === undefined ? '' : ` ${by[route]}`;
  const dims = routes === undefined || routes.brightness !== null;
  const words = [
    ...(dims ? [`dimmed${way(routes?.brightness)}`] : []),
    ...(display.power ? [`switched off${way(routes?.power)}`] : []),
  ];
  const floor = display.power ? '' : ' It has no power switch, so off is its lowest brightness.';
  const reason = display.power ? (dims ? 'display-found' : 'display-without-brightness') : 'display-without-power';
  const detail = `The screen "${name}" can be ${words.join(' and ')}.${floor}`;
  return remark === undefined
    ? working(reason, detail)
    : { state: 'working', reason, detail, missing: remark.missing, fix: remark.fix };
}

/** The verdict on a display that disappeared while in use. */
export const lostVerdict: Verdict = {
  state: 'not_here',
  reason: 'display-lost',
  detail: 'The screen has disappeared. Sconce looks for it every ten seconds.',
  missing: 'The screen.',
  fix: null,
};
