import type { ScreenContext } from '../screen/events.ts';

/** The facts of the first screen that are needed. */
type ScreenFacts = Pick<ScreenContext, 'lit' | 'display' | 'verdict'>;

/**
 * Whether this panel stays reachable while it is not used (as in panel-assistant). What would keep it awake is not
 * examined, so the assessment is `unknown` and no lock is reported as held; how the screen is switched off is known.
 */
export function assessPower(screen: ScreenFacts | undefined) {
  const mechanism = screen?.display?.routes?.power ?? null;
  return {
    state: 'unknown',
    warning: true,
    summary: 'Sconce does not assess whether the system suspends this panel.',
    action: 'none',
    repair_capability: 'app_only',
    repair_available: false,
    manual_only: false,
    acknowledge_available: false,
    acknowledged: false,
    acknowledgement_fingerprint: null,
    keep_awake_configured: false,
    wake_lock_held: false,
    wifi_lock_required: false,
    wifi_lock_held: false,
    prevent_idle_dim_configured: false,
    screen_off_timeout_ms: null,
    plugged_mask: null,
    stay_on_while_plugged_in: null,
    interactive: screen?.lit ?? null,
    stay_on_effective: null,
    device_idle: null,
    doze_exempt: null,
    power_source: 'unknown',
    screen_off_mechanism: mechanism ?? 'none',
    screen_off_selected: mechanism,
    screen_off_reason: screen?.verdict.reason ?? 'no-screen',
  } as const;
}
