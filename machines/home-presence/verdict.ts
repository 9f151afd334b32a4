import { needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { Judged, PresenceFacts, EntityLookup } from './events.ts';

const ANSWER = 'An answer of Home Assistant.';
const SETTINGS = 'there, under Settings, Devices & services';

/** A will means "gone offline" (contract, `ha_src`): it does not distinguish a restart from a crash. */
const silence = ({ broker }: Pick<PresenceFacts, 'broker'>): string =>
  broker === 'will' ? 'Home Assistant has gone offline.' : 'The panel gets no answer from Home Assistant.';

/** Home Assistant does not answer; the network is blamed only if the path probe agrees. */
const gone = (facts: Pick<PresenceFacts, 'path' | 'broker'>): Verdict =>
  facts.path === 'severe'
    ? needsYou(
        'home-assistant-unreachable',
        'The panel gets no answer from Home Assistant, and nothing gets through to its machine. Check that it is switched on, and the Wi-Fi or the cable; the panel keeps trying.',
        ANSWER,
      )
    : needsYou(
        'home-assistant-gone',
        `${silence(facts)} Check that it runs; the panel keeps trying and comes back on its own.`,
        ANSWER,
      );

const hidden: Readonly<Record<Exclude<EntityLookup, 'shown'>, Verdict>> = {
  'integration-disabled': needsYou(
    'mqtt-disabled',
    `The MQTT integration of Home Assistant is disabled, so this panel is not shown. Enable it ${SETTINGS}.`,
    'An MQTT integration that is enabled.',
  ),
  'waits-for-password': needsYou(
    'mqtt-waits-for-password',
    `The MQTT integration of Home Assistant waits for the password of the broker, so this panel is not shown. Enter it ${SETTINGS}.`,
    'The password of the broker, in Home Assistant.',
  ),
  'no-integration': needsYou(
    'mqtt-not-set-up',
    `Home Assistant has no MQTT integration, so this panel is not shown. Add it ${SETTINGS}.`,
    'An MQTT integration in Home Assistant.',
  ),
  'device-disabled': needsYou(
    'device-disabled',
    `This panel is disabled in Home Assistant. Enable its device ${SETTINGS}, MQTT.`,
    'A device that is enabled.',
  ),
  missing: needsYou(
    'not-shown',
    'This panel is announced at the broker, but Home Assistant does not show it. Check that its MQTT integration is connected to the same broker.',
    'An MQTT integration that is connected to this broker.',
  ),
};

const count = (entities: number): string => (entities === 1 ? 'one entity' : `${entities} entities`);

const restarting = ({ lifecycle }: Pick<PresenceFacts, 'lifecycle'>): Verdict =>
  verdictOf(
    'checking',
    'home-assistant-restarting',
    `Home Assistant is ${lifecycle === 'starting' ? 'starting' : 'restarting'}. The panel waits for it.`,
    ANSWER,
  );

/** The same where its own integration carries the entities: a session is proof of both. */
function judgeSession(
  { state }: Pick<Judged, 'state'>,
  session: NonNullable<PresenceFacts['session']>,
  facts: Pick<PresenceFacts, 'path' | 'broker' | 'lifecycle'>,
): Verdict {
  if (state === 'gone') return gone({ ...facts, broker: null });
  if (state === 'restarting') return restarting(facts);
  return session.state === 'live'
    ? working('shown', `Home Assistant is connected, and shows ${count(session.entities)} of this panel.`)
    : verdictOf('checking', 'session-awaited', 'The panel waits for Home Assistant to connect.', ANSWER);
}

/** The verdict on Home Assistant and on what it shows of this panel. */
export function judgePresence(
  { state }: Pick<Judged, 'state'>,
  lookup: EntityLookup | null,
  facts: Omit<PresenceFacts, 'socket' | 'failure' | 'page' | 'answers'>,
): Verdict {
  const { signedIn, publishing, session } = facts;
  if (session !== undefined) return judgeSession({ state }, session, facts);
  const own = publishing?.verdict ?? null;
  // A problem at the broker needs the owner, whatever Home Assistant does.
  if (own?.state === 'needs_you') return own;
  if (state === 'gone') return gone(facts);
  if (state === 'restarting') return restarting(facts);
  if (publishing === null || own === null || !publishing.announced) {
    return own ?? verdictOf('checking', 'not-looked-yet', 'Sconce is still looking for Home Assistant.');
  }
  if (lookup !== null && lookup !== 'shown') return hidden[lookup];
  // Some entities were left out, which is more important.
  if (own.missing !== null) return own;
  if (lookup === 'shown') {
    return working('shown', `Home Assistant shows this panel, which has announced ${count(publishing.entities)}.`);
  }
  const announced = `This panel has announced ${count(publishing.entities)} at the broker.`;
  if (state === 'there') {
    return working(
      'live',
      signedIn
        ? `Home Assistant is there. ${announced}`
        : `Home Assistant is there. ${announced} Whether it shows them is known once the panel is signed in.`,
    );
  }
  return verdictOf(
    'checking',
    'live-unconfirmed',
    `${announced} Whether Home Assistant shows them is not known${signedIn ? ' yet' : ' without a sign-in'}.`,
    signedIn ? ANSWER : 'A sign-in to Home Assistant.',
  );
}
