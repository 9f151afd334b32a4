import type { RendererActor } from './events.ts';
import type { Credential } from './facts.ts';
import { keepsFailing, recentTroubles } from './recovery.ts';
import { isSignedIn } from './target.ts';

/** What the calm page says. */
export type GlassState = 'off' | 'starting' | 'address' | 'sign-in' | 'refused' | 'away' | 'trouble' | 'dashboard';

type Outcome =
  | 'ok'
  | 'unobserved'
  | 'transport_failed'
  | 'credential_refused'
  | 'sign_in_required'
  | 'bridge_unavailable';
type Fault = 'none' | 'tls_trust' | 'dns' | 'timeout' | 'refused' | 'unreachable' | 'http_status' | 'unknown';

const isRefused = (credential: Credential | null): boolean => credential?.phase === 'refused';

/** What the calm page has to say now. */
export const glassOf = (facts: RendererActor['context']): GlassState => {
  if (facts.phase === 'off') return 'off';
  if (facts.desired !== null && facts.desired.origin === null) return 'address';
  if (isRefused(facts.credential)) return 'refused';
  if (!isSignedIn(facts.credential)) return 'sign-in';
  if (facts.away !== null) return 'away';
  if (facts.phase === 'recovering' || facts.phase === 'not-installed' || facts.phase === 'no-display') return 'trouble';
  return facts.phase === 'showing' || facts.phase === 'settings' ? 'dashboard' : 'starting';
};

const faults: Readonly<Record<string, Fault>> = {
  refused: 'refused',
  timeout: 'timeout',
  'name-unknown': 'dns',
  'no-route': 'unreachable',
  unreachable: 'unreachable',
  tls: 'tls_trust',
  'http-error': 'http_status',
};

const outcomeOf = (facts: RendererActor['context']): Outcome => {
  if (isRefused(facts.credential)) return 'credential_refused';
  if (facts.phase === 'off') return 'unobserved';
  if (!isSignedIn(facts.credential)) return 'sign_in_required';
  if (facts.away !== null) return 'transport_failed';
  if (facts.phase === 'not-installed' || facts.phase === 'no-display') return 'bridge_unavailable';
  return facts.rendered ? 'ok' : 'unobserved';
};

const stateOf = (facts: RendererActor['context']): 'rendered' | 'admitted' | 'checking' | 'blocked' | 'unobserved' => {
  if (facts.phase === 'off' || facts.mode === 'external') return 'unobserved';
  if (facts.rendered) return 'rendered';
  if (facts.phase === 'loading' || facts.phase === 'showing') return 'admitted';
  return facts.phase === 'starting' || facts.phase === 'recovering'
    ? 'checking'
    : facts.phase === 'settings'
      ? 'admitted'
      : 'blocked';
};

const recoveryOf = (facts: RendererActor['context']): 'none' | 'from_base' | 'at_ceiling' | 'manual_only' => {
  if (facts.phase === 'not-installed' || isRefused(facts.credential)) return 'manual_only';
  if (keepsFailing(facts.restarts, facts.at)) return 'at_ceiling';
  return facts.phase === 'recovering' || facts.away !== null || recentTroubles(facts.restarts, facts.at) > 0
    ? 'from_base'
    : 'none';
};

/** The renderer as the status shows it: no address, no path. */
export const projectRenderer = (facts: RendererActor['context']) => ({
  mode: facts.mode,
  state: stateOf(facts),
  outcome: outcomeOf(facts),
  fault: facts.away === null ? ('none' as const) : (faults[facts.away.reason] ?? ('unknown' as const)),
  recovery: recoveryOf(facts),
  transport:
    facts.desired?.origin == null
      ? ('unknown' as const)
      : facts.desired.origin.startsWith('https:')
        ? ('https' as const)
        : ('http' as const),
  rendered: facts.rendered,
  theme_policy: facts.desired?.appearance.theme ?? ('follow' as const),
  phase: facts.phase,
  glass: glassOf(facts),
  health: facts.health,
  route: facts.route,
  browser: facts.browser,
  platform_version: facts.homeAssistantVersion,
  place: facts.place,
  memory_bytes: facts.memoryBytes,
  away: facts.away,
  home_missing: facts.homeMissing,
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
  summary: facts.verdict.detail,
  action: facts.verdict.missing ?? '',
});
