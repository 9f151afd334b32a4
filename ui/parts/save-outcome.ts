import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { onThisPage } from './on-this-page.ts';

/** A save that the panel accepted. */
export interface Save {
  /** The configuration revision it created. */
  readonly revision: number;
  /** Keys of the settings that it changed. */
  readonly keys: readonly string[];
}

/** The effect of a save outside the panel. */
export interface SaveOutcome {
  /** `waiting`: being tried; `next`: done, and the owner has another step to take. */
  readonly kind: 'waiting' | 'done' | 'next' | 'failed';
  readonly words: string;
  /** Link to where it is fixed; null if nothing needs to be done. */
  readonly href: string | null;
}

const outcome = (kind: SaveOutcome['kind'], words: string, href: string | null = null): SaveOutcome => ({
  kind,
  words,
  href,
});

/** Groups of the settings that a save may link to, except those of the broker. */
const pageOf: Readonly<Record<string, string>> = {
  panel_id: 'identity',
  ha_url: 'home-assistant',
  ha_token: 'home-assistant',
};

/** Link to a setting's field, on this page or another. */
const fieldOf = (key: string): string => `/configure/${pageOf[key] ?? 'mqtt'}#field-${key}`;

const connecting = (): SaveOutcome => outcome('waiting', t('form.connecting'));

/** True if the broker wants a user name and was given none. */
const isAskedForUser = (rows: StatusDocument['capabilities']): boolean =>
  rows.some(({ id, reason }) => id === 'mqtt' && reason === 'credentials-needed');

function brokerOutcome({ mqtt, capabilities }: StatusDocument, { revision }: Save): SaveOutcome {
  // A verdict on an earlier configuration does not apply to this save.
  if (mqtt === null || mqtt.settings_revision < revision) return connecting();
  const words = onThisPage(mqtt.detail);
  switch (mqtt.phase) {
    case 'connecting':
    case 'discovering':
      return connecting();
    case 'connected':
      return outcome('done', words);
    case 'auth_failed':
      return outcome('failed', words, fieldOf(isAskedForUser(capabilities) ? 'mqtt_user' : 'mqtt_password'));
    case 'unconfirmed':
      return outcome('next', words, '/configure/mqtt#group-mqtt');
    case 'off':
    case 'not_configured':
    case 'ambiguous':
      return outcome('next', words, fieldOf('mqtt_broker'));
    case 'config_error':
    case 'unreachable':
      return outcome('failed', words, fieldOf('mqtt_broker'));
  }
}

/** A changed panel id takes effect with the broker connection, then with what is announced over it. */
function idOutcome(status: StatusDocument, save: Save): SaveOutcome | null {
  const broker = brokerOutcome(status, save);
  if (broker.kind === 'waiting') return broker;
  // Without a broker the id is saved but not announced yet.
  if (broker.kind !== 'done') return null;
  const { platform, home_presence: presence } = status;
  if (platform?.phase === 'live' && presence !== null) {
    const isKnown = presence.shows !== null || !presence.evidence.includes('sign-in-answered');
    const { state } = status.capabilities.find(({ id }) => id === 'platform') ?? {};
    if (state === 'needs_you') return outcome('failed', presence.detail);
    if (isKnown) return outcome('done', presence.detail);
  }
  if (platform?.phase === 'duplicate') return outcome('failed', onThisPage(platform.detail), fieldOf('panel_id'));
  return outcome('waiting', t('form.introducing'));
}

function signInOutcome({ sign_in: signIn }: StatusDocument, { revision }: Save): SaveOutcome | null {
  const waiting = outcome('waiting', t('form.signing_in'));
  if (signIn === null || signIn.settings_revision < revision) return waiting;
  const words = onThisPage(signIn.detail);
  switch (signIn.phase) {
    case 'no-address':
      return null;
    case 'needed':
    case 'pending':
      return outcome('next', words, '/sign-in');
    case 'refused':
      return outcome('failed', words, signIn.method === 'long-lived' ? fieldOf('ha_token') : '/sign-in');
    case 'signed-in':
      if (signIn.reachable === null) return waiting;
      return signIn.reachable ? outcome('done', words) : outcome('failed', words, fieldOf('ha_url'));
  }
}

/** The links that a setting affects, each with its verdict on a save. */
const links: readonly (readonly [RegExp, (status: StatusDocument, save: Save) => SaveOutcome | null])[] = [
  [/^mqtt_/, brokerOutcome],
  [/^ha_(?:url|token)$/, signInOutcome],
  [/^panel_id$/, idOutcome],
];

const ranks: readonly SaveOutcome['kind'][] = ['failed', 'waiting', 'next', 'done'];

/** The outcome of a save by the links it affects; null if it affects none. */
export function outcomeOf(status: StatusDocument, save: Save): SaveOutcome | null {
  const all = links.flatMap(([about, judge]) =>
    save.keys.some((key) => about.test(key)) ? [judge(status, save)] : [],
  );
  const said = all.filter((one) => one !== null);
  for (const kind of ranks) {
    const found = said.find((one) => one.kind === kind);
    if (found !== undefined) return found;
  }
  return null;
}

/** True if a save has an outcome beyond being saved. */
export const isAboutLink = ({ keys }: Save): boolean => keys.some((key) => links.some(([about]) => about.test(key)));
