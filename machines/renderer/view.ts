import type { AutoBrightnessContext } from '../auto-brightness/events.ts';
import { certificateFaults } from '../kit/certificate.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { ambientView, appearanceOf } from './ambient.ts';
import { unreachableOf } from './reachability.ts';
import type { RendererPhase } from './events.ts';
import type { Credential } from './facts.ts';
import type { ShownRenderer } from './phase.ts';
import { keepsFailing, recentTroubles, INCIDENT_MS } from './recovery.ts';
import { RETRY_MS } from './failure-streak.ts';
import { isSignedIn } from './is-signed-in.ts';
import { lacksHome } from './lacks-home.ts';
import { ownField } from '../kit/own-field.ts';
import { judgeRenderer } from './verdict.ts';

/** State shown on the offline page. */
export type KioskState =
  | 'off'
  | 'starting'
  | 'address'
  | 'sign-in'
  | 'refused'
  | 'away'
  | 'trouble'
  | 'fails'
  | 'dashboard';

/**
 * The outcomes of panel-assistant that occur here. Sconce shows nothing from a cache, reads no list of dashboards, and
 * refuses no version of Home Assistant.
 */
type Outcome =
  | 'ok'
  | 'unobserved'
  | 'transport_failed'
  | 'credential_refused'
  | 'sign_in_required'
  | 'sign_in_page_unreachable'
  | 'bridge_unavailable'
  | 'bridge_attach_failed'
  | 'bridge_handshake_missed';
type Fault = 'none' | 'tls_trust' | 'dns' | 'timeout' | 'refused' | 'unreachable' | 'http_status' | 'unknown';

const isRefused = (credential: Credential | null): boolean => credential?.phase === 'refused';

function kioskOf(facts: ShownRenderer): KioskState {
  if (facts.phase === 'off') return 'off';
  if (facts.desired !== null && facts.desired.origin === null) return 'address';
  if (isRefused(facts.credential)) return 'refused';
  if (!isSignedIn(facts.credential)) return 'sign-in';
  if (unreachableOf(facts) !== null) return 'away';
  if (facts.phase === 'recovering' || facts.phase === 'not-installed' || facts.phase === 'no-display') return 'trouble';
  if (facts.phase === 'showing' || facts.phase === 'settings') return 'dashboard';
  return facts.phase === 'waiting' && facts.fallback?.page === 'calm' ? 'fails' : 'starting';
}

const faults: Readonly<Record<string, Fault>> = {
  refused: 'refused',
  timeout: 'timeout',
  'name-unknown': 'dns',
  'no-route': 'unreachable',
  unreachable: 'unreachable',
  tls: 'tls_trust',
  ...Object.fromEntries(certificateFaults.map((fault) => [fault, 'tls_trust' as const])),
  'http-error': 'http_status',
};

function faultOf(facts: ShownRenderer): Fault {
  const unreachable = unreachableOf(facts);
  return unreachable === null ? 'none' : (ownField(faults, unreachable.reason) ?? 'unknown');
}

const isOnItsWay = (phase: RendererPhase): boolean =>
  phase === 'recovering' || phase === 'loading' || phase === 'showing';

function outcomeOf(facts: ShownRenderer): Outcome {
  if (isRefused(facts.credential)) return 'credential_refused';
  if (facts.phase === 'off') return 'unobserved';
  if (!isSignedIn(facts.credential)) return facts.place === 'error' ? 'sign_in_page_unreachable' : 'sign_in_required';
  if (unreachableOf(facts) !== null) return 'transport_failed';
  if (facts.phase === 'not-installed' || facts.phase === 'no-display') return 'bridge_unavailable';
  if (facts.rendered) return 'ok';
  const trouble = facts.restarts.at(-1);
  // The browser started, but its page could not be driven; or the dashboard was opened, but did not report that it is
  // drawn.
  if (trouble?.reason === 'start-timeout' && facts.phase === 'recovering') return 'bridge_attach_failed';
  return trouble?.reason === 'blank' && isOnItsWay(facts.phase) && facts.at - trouble.at < INCIDENT_MS
    ? 'bridge_handshake_missed'
    : 'unobserved';
}

function stateOf(facts: ShownRenderer): 'rendered' | 'admitted' | 'checking' | 'blocked' | 'unobserved' {
  if (facts.phase === 'off' || facts.mode === 'external') return 'unobserved';
  if (facts.rendered) return 'rendered';
  if (facts.phase === 'loading' && facts.certificate !== null) return 'blocked';
  if (facts.phase === 'loading' || facts.phase === 'showing') return 'admitted';
  return facts.phase === 'starting' || facts.phase === 'recovering'
    ? 'checking'
    : facts.phase === 'settings'
      ? 'admitted'
      : 'blocked';
}

function recoveryOf(facts: ShownRenderer): 'none' | 'from_base' | 'at_ceiling' | 'manual_only' {
  if (facts.phase === 'not-installed' || isRefused(facts.credential)) return 'manual_only';
  if (keepsFailing(facts.restarts, facts.at)) return 'at_ceiling';
  return facts.phase === 'recovering' || unreachableOf(facts) !== null || recentTroubles(facts.restarts, facts.at) > 0
    ? 'from_base'
    : 'none';
}

/** Milliseconds since then; 0 if the clock was set back. */
const age = (now: EpochMs, then: EpochMs): Milliseconds => Math.max(0, now - then);

/** The theme that the panel forces on the drawn page; null where it leaves that to Home Assistant. */
function ownTheme(facts: ShownRenderer): 'dark' | 'light' | null {
  const { theme } = appearanceOf(facts);
  return facts.mode === 'builtin' && facts.rendered && theme !== 'follow' ? theme : null;
}

/** What the renderer's view depends on besides its own facts. */
interface Around {
  readonly now: EpochMs;
  /** When the agent started. */
  readonly startedAt: EpochMs;
  /** The automatic brightness; undefined or absent while its part is away. */
  readonly room?: SnapshotView<AutoBrightnessContext> | undefined;
}

/** The renderer in the status document: no address, no path. */
export function rendererView(facts: ShownRenderer, { now, startedAt, room }: Around) {
  const { detail, missing } = judgeRenderer(facts);
  return {
    mode: facts.mode,
    state: stateOf(facts),
    outcome: outcomeOf(facts),
    fault: faultOf(facts),
    fault_detail: unreachableOf(facts)?.reason ?? null,
    recovery: recoveryOf(facts),
    transport:
      facts.desired?.origin == null
        ? ('unknown' as const)
        : facts.desired.origin.startsWith('https:')
          ? ('https' as const)
          : ('http' as const),
    // The built-in browser has no setting for this and decides by itself.
    address_family_policy: 'automatic' as const,
    observed_age_ms: facts.at === 0 ? null : age(now, facts.at),
    package_updated_age_ms: null,
    process_age_ms: age(now, startedAt),
    rendered: facts.rendered,
    theme_policy: facts.desired?.appearance.theme ?? ('follow' as const),
    theme_effective: ownTheme(facts),
    theme_overridden: ownTheme(facts) !== null,
    ...ambientView(facts, room),
    phase: facts.phase,
    glass: kioskOf(facts),
    health: facts.health,
    route: facts.route,
    browser: facts.browser,
    platform_version: facts.homeAssistantVersion,
    place: facts.place,
    memory_bytes: facts.memoryBytes,
    away: unreachableOf(facts),
    home_missing: lacksHome(facts),
    fallback:
      facts.fallback === null
        ? null
        : {
            page: facts.fallback.page,
            reason: facts.fallback.reason,
            since: facts.fallback.since,
            retry_at: facts.fallback.since + RETRY_MS,
          },
    nuisances: facts.nuisances,
    restarts: facts.restarts.map(({ reason, at }) => ({ reason, at })),
    navigation:
      facts.lastNavigation === null
        ? null
        : {
            outcome: facts.lastNavigation.outcome,
            message: facts.lastNavigation.message,
            origin: facts.lastNavigation.origin,
            took_ms: facts.lastNavigation.tookMs,
            at: facts.lastNavigation.at,
          },
    summary: detail,
    action: missing ?? '',
  };
}
