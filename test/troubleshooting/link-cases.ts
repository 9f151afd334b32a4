import { certificateFaults } from '#machines/kit/certificate.ts';
import type { HomeOutcome } from '#machines/kit/home-advice.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import { judgeCompanion } from '#machines/companion/verdict.ts';
import { judgeAdvertiser } from '#machines/advertiser/verdict.ts';
import { type EntityLookup, entityLookups } from '#machines/home-presence/events.ts';
import { judgePresence } from '#machines/home-presence/verdict.ts';
import { judgeBroker } from '#machines/mqtt/verdict.ts';
import { judgePathProbe } from '#machines/path-probe/verdict.ts';
import { duplicateAdvice } from '#machines/publisher/owner.ts';
import { judgePublisher } from '#machines/publisher/verdict.ts';
import { judgeTemperature, judgeWifi } from '#machines/readings/verdict.ts';
import type { SignInContext } from '#machines/sign-in/events.ts';
import { passwordStates } from '#machines/sign-in/password.ts';
import { judgeSignIn } from '#machines/sign-in/verdict.ts';

type BrokerFacts = Parameters<typeof judgeBroker>[0];

const link: BrokerFacts = { phase: 'unreachable', source: 'configured', failure: null, drops: 0, release: 'send' };
const broker = (facts: Partial<BrokerFacts>): Verdict => judgeBroker({ ...link, ...facts });

/** What is said of the broker. */
export const brokerVerdicts: readonly Verdict[] = [
  ...(['off', 'not_configured', 'discovering', 'ambiguous', 'config_error', 'auth_failed'] as const).map((phase) =>
    broker({ phase }),
  ),
  broker({ phase: 'auth_failed', isAnonymous: true }),
  ...['ECONNREFUSED', 'ETIMEDOUT', null, 'ENOTFOUND', 'protocol-error', 'packet-too-large'].map((failure) =>
    broker({ failure }),
  ),
  broker({ source: 'found' }),
  broker({ phase: 'unconfirmed' }),
  broker({ phase: 'unconfirmed', source: 'found' }),
  broker({ release: 'ask' }),
  // MQTT 5 says that another session with the same client id took over.
  broker({ failure: 'disconnected-142', drops: 1 }),
  broker({ drops: 9 }),
  ...certificateFaults.map((failure) => broker({ failure })),
];

const companion = (clients: number): Verdict =>
  judgeCompanion({
    surface: 'native',
    clients: Array.from({ length: clients }, () => ({ keyId: '', clientId: '', name: '', pairedAt: 0, usedAt: null })),
    sessions: [],
    life: null,
  });

/** What is said of the integration in Home Assistant, where it takes the place of the broker. */
export const companionVerdicts: readonly Verdict[] = [companion(0), companion(1)];

type PublisherFacts = Parameters<typeof judgePublisher>[0];

const published: PublisherFacts = {
  phase: 'live',
  announced: Array.from({ length: 12 }, () => ({ key: 'screen', entityKind: 'light' })),
  refused: {},
  removedElsewhere: false,
  advice: null,
};
const publisher = (facts: Partial<PublisherFacts>): Verdict => judgePublisher({ ...published, ...facts });

type PresenceFacts = Parameters<typeof judgePresence>[2];

const present: PresenceFacts = {
  lifecycle: null,
  signedIn: true,
  path: 'healthy',
  broker: null,
  publishing: { verdict: publisher({}), announced: true, entities: 12 },
};
const gone = (facts: Partial<PresenceFacts>): Verdict =>
  judgePresence({ state: 'gone' }, null, { ...present, ...facts });
const looked = (lookup: EntityLookup): Verdict => judgePresence({ state: 'there' }, lookup, present);

/** What is said of Home Assistant, and of what it shows of the panel. */
export const presenceVerdicts: readonly Verdict[] = [
  gone({}),
  gone({ broker: 'will' }),
  gone({ path: 'severe' }),
  ...entityLookups.map(looked),
  publisher({ phase: 'duplicate', advice: duplicateAdvice('hall_2') }),
  publisher({ removedElsewhere: true }),
  publisher({ phase: 'waiting' }),
  publisher({ refused: { light: 'too long' } }),
];

type SignInFacts = Parameters<typeof judgeSignIn>[0];

const needed: SignInFacts = {
  phase: 'needed',
  reachable: null,
  failure: null,
  look: null,
  method: null,
  password: 'none',
};
const signIn = (facts: Partial<SignInFacts>): Verdict => judgeSignIn({ ...needed, ...facts });
const looks = (
  [
    ['unresolvable', 'ENOTFOUND'],
    ['unreachable', 'ECONNREFUSED'],
    ['unreachable', 'EPROTO'],
    ['unreachable', 'ETIMEDOUT'],
    ['not-home-assistant', 'http-404'],
    ['elsewhere', 'http-302'],
    ['local-address', 'local-address'],
  ] as const
).map(([error, code]): HomeOutcome => ({ status: 'failed', error, code }));

/** What is said of the sign-in to Home Assistant. */
export const signInVerdicts: readonly Verdict[] = [
  signIn({}),
  signIn({ phase: 'no-address' }),
  signIn({ phase: 'pending' }),
  ...(['long-lived', null] as const satisfies readonly SignInContext['method'][]).map((method) =>
    signIn({ phase: 'refused', method }),
  ),
  ...looks.map((look) => signIn({ look })),
  ...passwordStates.map((password) => signIn({ password })),
  ...certificateFaults.map((failure) => signIn({ failure })),
  signIn({ phase: 'signed-in', reachable: false }),
];

type AdvertiserFacts = Parameters<typeof judgeAdvertiser>[0];

const announced: AdvertiserFacts = {
  lan: { interface: 'eth0', address: '192.168.1.20', family: 'ipv4' },
  responder: 'up',
  seen: 'visible',
  renamed: false,
  recovery: { phase: 'healthy', misses: 0, attempts: 0, rebuilds: 0, pending: null, token: 0, code: null },
};

/** What is said of the panel's name on the network. */
export const discoveryVerdicts: readonly Verdict[] = [
  judgeAdvertiser({ ...announced, lan: null }),
  judgeAdvertiser({ ...announced, recovery: { ...announced.recovery, phase: 'exhausted' } }),
  judgeAdvertiser({ ...announced, renamed: true }),
];

type Reading = NonNullable<Parameters<typeof judgeWifi>[0]['reading']>;

const reading: Reading = {
  cpuPercent: null,
  memoryPercent: null,
  socCelsius: null,
  bootedAt: null,
  address: null,
  wifi: 'joined',
  wifiName: null,
  wifiSignalDbm: null,
  routeFamily: 'ipv4',
};

/** What is said of the processor's temperature. */
export const temperatureVerdicts: readonly Verdict[] = [judgeTemperature({ reading })];

/** What is said of the network. */
export const networkVerdicts: readonly Verdict[] = [judgePathProbe({ supported: false })];

/** What is said of the Wi-Fi. */
export const wifiVerdicts: readonly Verdict[] = [
  judgeWifi({ reading }),
  judgeWifi({ reading: { ...reading, wifiName: 'Home' } }),
];
