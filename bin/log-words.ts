import type { MqttPhase } from '#machines/mqtt/events.ts';
import type { RendererPhase, RestartReason } from '#machines/renderer/events.ts';
import type { PasswordState } from '#machines/sign-in/password.ts';
import { descriptorOf } from '#machines/settings.ts';
import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';

/** Log lines on the link to the broker, by its phase. */
export const brokerWords: Readonly<Record<MqttPhase, string>> = {
  off: 'The broker is not used.',
  not_configured: 'No broker is set up.',
  discovering: 'Looking for a broker on the network.',
  ambiguous: 'More than one broker was found, so none was chosen.',
  unconfirmed: 'The broker has to be confirmed before it gets the password.',
  connecting: 'Connecting to the broker.',
  connected: 'Connected to the broker.',
  auth_failed: 'The broker refused the user name or the password.',
  unreachable: 'The broker does not answer.',
  config_error: 'The broker cannot be used as it is set up.',
};

/** Phases of that link that a person may have to act on. */
export const brokerTroubles: ReadonlySet<MqttPhase> = new Set([
  'ambiguous',
  'unconfirmed',
  'auth_failed',
  'unreachable',
  'config_error',
]);

/** Log lines on the dashboard, by its phase. */
export const dashboardWords: Readonly<Record<RendererPhase, string>> = {
  off: 'This panel shows no dashboard.',
  'not-installed': 'No browser is installed, so no dashboard is shown.',
  'no-display': 'No display was found, so no dashboard is shown.',
  starting: 'The browser is starting.',
  waiting: 'The panel shows one of its own pages.',
  loading: 'The dashboard is loading.',
  showing: 'The dashboard is shown.',
  settings: 'The settings are open on the screen.',
  recovering: 'Bringing the dashboard back.',
};

/** Why the dashboard was reloaded. */
export const restartWords: Readonly<Record<RestartReason, string>> = {
  crashed: 'The dashboard crashed and was reloaded.',
  hung: 'The dashboard hung and was reloaded.',
  killed: 'The browser was killed and was restarted.',
  exited: 'The browser ended and was restarted.',
  memory: 'The dashboard had grown too large and was reloaded.',
  'memory-dark': 'The dashboard had grown large and was reloaded while the screen was off.',
  asked: 'The dashboard was reloaded because somebody asked for it.',
  stale: 'The dashboard was out of date and was reloaded.',
  blank: 'The dashboard was blank and was reloaded.',
  credential: 'The dashboard was reloaded with the new sign-in.',
  'address-changed': 'The dashboard was reloaded from the new address.',
  'display-changed': 'The browser was restarted for the new display.',
  'start-timeout': 'The browser did not start in time and was restarted.',
  'storage-cleared':
    'The data that the dashboard had stored in the browser was cleared, and the dashboard was reloaded.',
};

/** Reasons that no person asked for. */
export const unwantedRestarts: ReadonlySet<RestartReason> = new Set([
  'crashed',
  'hung',
  'killed',
  'exited',
  'memory',
  'stale',
  'blank',
  'start-timeout',
]);

/** Log lines on a supplied password while it is needed. */
export const passwordWords: Readonly<
  Record<Extract<PasswordState, 'none' | 'held' | 'trying' | 'unreachable'>, string>
> = {
  none: 'The password for Home Assistant that you supplied is no longer needed.',
  held: 'The password for Home Assistant is held until an address is set.',
  trying: 'The panel is signing in to Home Assistant with the password you supplied.',
  unreachable: 'Home Assistant could not be reached for the sign-in. It will be tried again.',
};

const exposed = 'ha_expose_';

/** A setting's title, or its key if there is no such setting. */
function titleOf(key: string): string {
  const more = /^\+(\d+)$/.exec(key)?.[1];
  if (more !== undefined) return `${more} more`;
  if (!key.startsWith(exposed)) return descriptorOf(key)?.label ?? key;
  const title = descriptorOf(key.slice(exposed.length))?.label;
  return title === undefined ? key : `${title} in Home Assistant`;
}

/** The log line for saved settings, by the history's code for them: names, never values. */
export function savedWords(code: string): string {
  if (code === 'secret') return 'A stored secret was replaced.';
  const keys = code.split(',');
  const saved = keys.filter((key) => !key.startsWith('-')).map(titleOf);
  const removed = keys.filter((key) => key.startsWith('-')).map((key) => `${titleOf(key.slice(1))} was removed.`);
  return [...(saved.length === 0 ? [] : [`Settings were saved: ${saved.join(', ')}.`]), ...removed].join(' ');
}

/** The log line for what happened to a part or a group of parts. */
export function partWords(fact: SupervisionFact): string {
  switch (fact.type) {
    case 'started':
      return fact.restarts > 0 ? `The part ${fact.id} is back.` : `The part ${fact.id} started.`;
    case 'ended':
      return fact.how === 'failed' ? `The part ${fact.id} failed.` : `The part ${fact.id} ended.`;
    case 'killed':
      return `The part ${fact.id} did not stop in time and was killed.`;
    case 'dismissed':
      return `The part ${fact.id} is off, as the settings say.`;
    case 'restarting':
      return `The part ${fact.id} will be restarted in a moment.`;
    case 'parked':
      return `The part ${fact.id} kept failing and was parked. It will be tried again later.`;
    case 'gave-up':
      return `The group ${fact.id} gave up, since its parts kept failing.`;
  }
}
