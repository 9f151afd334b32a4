import type { EpochMs } from '../kit/units.ts';
import { sectionOf } from '../kit/home-path.ts';
import { isSignedIn } from './is-signed-in.ts';
import { lacksHome } from './lacks-home.ts';
import { distance } from './reachability.ts';
import type { StartInput } from './events.ts';
import type { RendererFacts, DesiredPage } from './facts.ts';

/** True if the dashboard can be shown now; otherwise the offline page is. */
export const wantsDashboard = ({
  started,
  credential,
  unreachable,
  fallback,
}: Pick<RendererFacts, 'started' | 'credential' | 'unreachable' | 'fallback'>): boolean =>
  started !== null &&
  started.origin !== null &&
  isSignedIn(credential) &&
  unreachable === null &&
  fallback?.page !== 'calm';

/**
 * True if the dashboard may be loaded now. A pending first scan holds back a load, but never removes a dashboard that
 * is shown.
 */
export const wantsLoad = (facts: Parameters<typeof wantsDashboard>[0] & Pick<RendererFacts, 'held'>): boolean =>
  wantsDashboard(facts) && !facts.held;

export const wantsBrowser = (desired: DesiredPage | null): boolean => desired !== null && desired.mode !== 'none';

/** The display that a browser for this page is launched with. */
export const displayOf = (desired: DesiredPage): StartInput['display'] =>
  desired.mode === 'headless' ? 'headless' : 'auto';

/** True if the running browser was launched for another address, program or display. */
export const needsRestart = (started: StartInput | null, desired: DesiredPage | null): boolean =>
  started !== null &&
  desired !== null &&
  (started.origin !== desired.origin ||
    started.ownOrigin !== desired.ownOrigin ||
    started.program !== desired.program ||
    started.display !== displayOf(desired));

type HomeFacts = Pick<RendererFacts, 'desired' | 'homeMissing' | 'isHomeListed' | 'fallback'>;

/** True if the filter of this path's dashboard has not been decided yet. */
export const isUnknown = ({ known }: Pick<RendererFacts, 'known'>, path: string): boolean =>
  known !== null && sectionOf(path) !== '' && !known.includes(sectionOf(path));

/**
 * The path of the home dashboard, or "/" (Home Assistant's start page) if none is set, or if the start page replaces
 * it.
 */
export const homeOf = (facts: HomeFacts): string =>
  facts.desired === null || facts.desired.home === '' || lacksHome(facts) || facts.fallback !== null
    ? '/'
    : facts.desired.home;

/** The first segment of the home dashboard's path; null if none is set or another program shows it. */
export const homeToWatch = (desired: DesiredPage | null): string | null =>
  desired === null || desired.mode === 'none' || desired.program !== 'builtin' || sectionOf(desired.home) === ''
    ? null
    : sectionOf(desired.home);

export const pathToLoad = (facts: HomeFacts & Pick<RendererFacts, 'goal'>): string => facts.goal ?? homeOf(facts);

/**
 * The path that leads home inside a loaded dashboard. For "/", which the frontend's router does not know, it is the
 * path that the start page redirected to.
 */
export function homeInside(facts: HomeFacts & Pick<RendererFacts, 'startPath'>): string {
  const home = homeOf(facts);
  return home === '/' ? (facts.startPath ?? '/') : home;
}

/** True if the dashboard is not at home and has been untouched for the owner's idle time. */
export function idleReturnIsDue(
  facts: HomeFacts & Pick<RendererFacts, 'startPath' | 'path' | 'touchedAt'>,
  at: EpochMs,
): boolean {
  const minutes = facts.desired?.idleReturnMin ?? 0;
  return (
    minutes > 0 &&
    facts.path !== null &&
    facts.path !== homeInside(facts) &&
    distance(at, facts.touchedAt) >= minutes * 60_000
  );
}

/** The origin to probe; null while there is nothing to wait for. */
export const originToWatch = ({
  desired,
  unreachable,
  disconnectedSince,
}: Pick<RendererFacts, 'desired' | 'unreachable' | 'disconnectedSince'>): string | null =>
  unreachable !== null || disconnectedSince !== null ? (desired?.origin ?? null) : null;

/** True if nothing is visible: one screen is known to be dark, and none to be lit. */
export const isDark = (lit: readonly (boolean | null)[]): boolean => lit.includes(false) && !lit.includes(true);
