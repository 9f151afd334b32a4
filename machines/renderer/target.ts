import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { sectionOf } from '../kit/home-path.ts';
import { distance } from './reachability.ts';
import type { StartInput } from './events.ts';
import type { Credential, RendererFacts, DesiredPage } from './facts.ts';

/**
 * How long a page of the panel itself may stay untouched before the dashboard, or the offline page, is shown again, in
 * milliseconds.
 */
const OWN_IDLE_MS: Milliseconds = 300_000;

/**
 * Whether the page can be signed in: a credential is in force and was not refused; an agent without a sign-in shows
 * Home Assistant's own.
 */
export const isSignedIn = (credential: Credential | null): boolean =>
  credential === null || credential.phase === 'signed-in';

/** Whether the dashboard can be shown now; otherwise the offline page is. */
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

/** Whether the dashboard is to be loaded now: one that stands is not taken away for a scan. */
export const wantsLoad = (facts: Parameters<typeof wantsDashboard>[0] & Pick<RendererFacts, 'held'>): boolean =>
  wantsDashboard(facts) && !facts.held;

/** Whether a browser should run at all. */
export const wantsBrowser = (desired: DesiredPage | null): boolean => desired !== null && desired.mode !== 'none';

/** What the desired page makes the browser draw on. */
export const displayOf = (desired: DesiredPage): StartInput['display'] =>
  desired.mode === 'headless' ? 'headless' : 'auto';

/** Whether what runs was launched for another address, program or display. */
export const needsRestart = (started: StartInput | null, desired: DesiredPage | null): boolean =>
  started !== null &&
  desired !== null &&
  (started.origin !== desired.origin ||
    started.ownOrigin !== desired.ownOrigin ||
    started.program !== desired.program ||
    started.display !== displayOf(desired));

/** What home depends on. */
type HomeFacts = Pick<RendererFacts, 'desired' | 'homeMissing' | 'fallback'>;

/** Whether it is still to be learned what the dashboard of this path is sent. */
export const isUnknown = ({ known }: Pick<RendererFacts, 'known'>, path: string): boolean =>
  known !== null && sectionOf(path) !== '' && !known.includes(sectionOf(path));

/** The path of the home dashboard, or Home Assistant's start page where there is none, or where it stands for it. */
export const homeOf = ({ desired, homeMissing, fallback }: HomeFacts): string =>
  desired === null || desired.home === '' || homeMissing || fallback !== null ? '/' : desired.home;

/** The path that a full load shows. */
export const pathToLoad = (facts: HomeFacts & Pick<RendererFacts, 'goal'>): string => facts.goal ?? homeOf(facts);

/**
 * The path that leads home inside a loaded dashboard: where the start page led, since the page's own bus knows no "/".
 */
export function homeInside(facts: HomeFacts & Pick<RendererFacts, 'startPath'>): string {
  const home = homeOf(facts);
  return home === '/' ? (facts.startPath ?? '/') : home;
}

/**
 * Whether nobody touched the dashboard for as long as the owner lets it stand, and it shows something else than home.
 */
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

/** Whether nobody touched a page of the panel itself for long. */
export const ownPageIsIdle = ({ touchedAt }: Pick<RendererFacts, 'touchedAt'>, at: EpochMs): boolean =>
  distance(at, touchedAt) >= OWN_IDLE_MS;

/** The origin whose answer is waited for; null while there is nothing to wait for. */
export const originToWatch = ({
  desired,
  unreachable,
  disconnectedSince,
}: Pick<RendererFacts, 'desired' | 'unreachable' | 'disconnectedSince'>): string | null =>
  unreachable !== null || disconnectedSince !== null ? (desired?.origin ?? null) : null;

/** Whether nobody can see the panel: one of its screens is known to be dark, and none to be lit. */
export const isDark = (lit: readonly (boolean | null)[]): boolean => lit.includes(false) && !lit.includes(true);
