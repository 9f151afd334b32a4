import { z } from 'zod';
import { adviceOf } from '#machines/broker-probe/advice.ts';
import { once } from '#machines/kit/once.ts';
import { isSameRecipient } from '#machines/kit/recipient.ts';
import { refuse } from '#machines/kit/result.ts';
import { brokerRecipient, parseBrokerAddress } from '#machines/mqtt/broker-address.ts';
import { addressFamilyOf, brokerBeside } from '#machines/mqtt/desired-broker.ts';
import { signInSettings } from '#machines/sign-in/settings.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { brokerBesideHome } from '#routes/kit/broker-beside-home.ts';
import { restarting } from '#routes/kit/problem.ts';
import { operationBusy } from '#routes/kit/operation-busy.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';

/** A broker as found on the network. */
const FoundBroker = once(() =>
  z
    .strictObject({
      name: z.string().min(1).max(255).meta({ description: 'Host name that Home Assistant is advertised on.' }),
      address: z.string().min(1).max(64).meta({ description: 'IP address to connect to.' }),
      port: z.int().min(1).max(65_535).meta({ description: 'TCP port.' }),
    })
    .meta({ id: 'FoundBroker', description: 'A broker as found on the network.' }),
);

/** The broker that a person confirms, and the proof that they are the owner. */
const Confirmation = once(() =>
  FoundBroker()
    .extend({
      password: z
        .string()
        .max(4096)
        .optional()
        .meta({ description: 'The stored password again; required unless the request comes from the panel itself.' }),
    })
    .meta({ id: 'BrokerConfirmation', description: 'A broker as the GET shows it, with the stored password.' }),
);

const example = { name: 'homeassistant.local', address: '192.168.1.10', port: 1883 };

/** Longest address of a broker, in characters (as the setting). */
const urlLength = 2048;

/** The result of a probe. */
const BrokerProbe = once(() =>
  z
    .object({
      ok: z.boolean().meta({ description: 'True if a broker answered.' }),
      host: z.string().meta({ description: 'Host of the URL; "" if it is invalid.' }),
      port: z.int().meta({ description: 'TCP port; -1 if the URL is invalid.' }),
      resolved: z.string().optional().meta({ description: 'IP address that answered.' }),
      error: z
        .enum(['invalid-url', 'unresolvable', 'unreachable', 'not-a-broker', 'local-address'])
        .optional()
        .meta({ description: 'Why not.' }),
      message: z.string().meta({ description: 'The same in a sentence, with what to do.' }),
    })
    .meta({ id: 'BrokerProbe', description: 'The result of a probe of a broker.' }),
);

/** What was found for the two addresses that are not set. */
const Discovery = once(() =>
  z
    .object({
      mqtt_broker: z.string().meta({ description: 'Where its broker is expected.' }),
      ha_url: z.string().meta({ description: 'Address of Home Assistant.' }),
    })
    .meta({ id: 'Discovery', description: 'Each is "" if it is set, or nothing was found.' }),
);

const answers = 'An MQTT broker answers at this address.';

/** Longest wait for a probe, in milliseconds: the driver's own bound of 5 s and a margin. */
const probeMs = 7_000;
/** Longest wait for Home Assistant to be found, in milliseconds: the finder's own bound of 4 s and a margin. */
const findMs = 5_000;
/** How long the link may take to say which broker waits, in milliseconds. */
const readMs = 2_000;
/** How long the binding may take to be durable, in milliseconds: the store's own bound and a margin. */
const settleMs = 8_000;

/** Refuses a confirmation that is not proven to come from the owner. */
const notProven = (message: string) => ({ ...refuse('unproven', message), reasons: { password: message } });

const unproven = {
  missing: notProven(
    'Nothing was changed: from the network the stored password of the broker is needed too, in "password". Or confirm the broker on the panel itself.',
  ),
  wrong: notProven(
    'Nothing was changed: this is not the stored password of the broker. Enter it again, or save a new one under Configure.',
  ),
  late: refuse('too-many-tries', 'Nothing was changed: too many wrong passwords. Wait a minute and try again.'),
} as const;

/** The found broker, and the probe of an address that is not saved yet. */
export const brokerRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getBrokerToConfirm',
      method: 'get',
      path: '/api/v1/config/confirm-broker',
      tag: 'configuration',
      summary: 'The found broker that waits to be confirmed',
      description: 'The status document says if one waits (`mqtt.confirm`), but neither its name nor its address.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json(
          'The broker.',
          z.object({
            waiting: FoundBroker().nullable().meta({ description: 'Null if none waits.' }),
            needs_password: z
              .boolean()
              .meta({ description: 'True if a confirmation from this caller needs the stored password.' }),
          }),
          { example: { waiting: example, needs_password: true } },
        ),
      }),
      problems: ['restarting'],
    },
    async ({ c, answer }) => {
      const asked = await deps.registry.ask('mqtt', { type: 'mqtt.read-waiting' }, readMs);
      if (!asked.ok) return restarting('mqtt');
      return answer(200, { waiting: asked.value, needs_password: requestedFrom(c, deps) === 'network' });
    },
  );
  declare(
    {
      operationId: 'confirmBroker',
      method: 'post',
      path: '/api/v1/config/confirm-broker',
      tag: 'configuration',
      summary: 'Confirm that the broker is the right one',
      description:
        'Binds the stored password to the broker in the body, and sends it there. From the network the body needs that password again; at the panel itself it does not, unless the panel was tapped from the network within the last minute. After five wrong passwords none is checked for a minute. 409 if no broker waits, or another one.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 32_768,
      body: () => ({
        description: 'The broker as the GET shows it, and the stored password.',
        schema: Confirmation(),
        refusal: { code: 'bad-value' },
        example: { ...example, password: 'the password of the broker' },
      }),
      answers: () => ({
        200: json('Confirmed, durably.', z.object({ ok: z.literal(true) }), { example: { ok: true } }),
      }),
      problems: [
        'nothing-to-confirm',
        'broker-changed',
        'unproven',
        'too-many-tries',
        'operation-busy',
        'commit-failed',
        'restarting',
      ],
    },
    async ({ c, body, answer }) => {
      const { password = null, ...broker } = body;
      const from = requestedFrom(c, deps);
      const asked = await deps.registry.ask('mqtt', { type: 'mqtt.confirm', broker, from, password }, settleMs);
      if (!asked.ok) return restarting('mqtt');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'confirmed':
          return answer(200, { ok: true });
        case 'changed':
          return refuse(
            'broker-changed',
            'Nothing was changed: another broker than the one you confirmed now waits. Look it up (GET of this path, or Configure), and confirm it if it is yours.',
          );
        case 'nothing':
          return refuse(
            'nothing-to-confirm',
            outcome.several
              ? "More than one Home Assistant was found, and it is unclear which is meant. Enter its broker's address under Configure."
              : 'No broker waits to be confirmed. The status says how the broker is.',
          );
        case 'unproven':
          return unproven[outcome.why];
        case 'busy':
          return operationBusy(deps);
        case 'commit-failed':
          return refuse(
            'commit-failed',
            `Nothing was changed: it could not be written to disk (${outcome.reason}). Free or repair the disk and try again.`,
          );
      }
    },
  );
  declare(
    {
      operationId: 'probeBroker',
      method: 'get',
      path: '/api/v1/config/probe-broker',
      tag: 'configuration',
      summary: 'Check if a broker answers at an address',
      description:
        'Opens one TCP or TLS connection as the panel would, asks for a session without credentials, and closes it; at most 5 s. Any answer of a broker counts; anything else is `not-a-broker`. An address of the panel itself or of its own link (loopback, link-local) is not connected to (`local-address`), unless it is the one in the settings or port 1883 beside the Home Assistant there. A new probe ends the current one, which gets 409 `probe-replaced`.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          url: z.string().max(urlLength).meta({ description: 'As the setting `mqtt_broker` takes it.' }),
        }),
      answers: () => ({
        200: json('The result.', BrokerProbe(), {
          example: { ok: true, host: 'broker.local', port: 1883, resolved: '192.168.1.10', message: answers },
        }),
      }),
      problems: ['probe-replaced', 'restarting'],
    },
    async ({ query, answer }) => {
      const address = parseBrokerAddress(query.url);
      if (!address.ok)
        return answer(200, {
          ok: false,
          host: '',
          port: -1,
          error: 'invalid-url',
          message: `The address ${address.message}.`,
        });
      const { host, port, secure } = address.value;
      const values = deps.registry.read('settings')?.context.values ?? {};
      const target = {
        host,
        port,
        tls: secure,
        addressFamily: addressFamilyOf(values['mqtt_address_family']),
        isSaved:
          isSameRecipient(brokerRecipient(query.url), brokerRecipient(String(values['mqtt_broker'] ?? ''))) ||
          isSameRecipient(brokerRecipient(query.url), brokerRecipient(brokerBesideHome(deps))),
      };
      const asked = await deps.registry.ask('broker-probe', { type: 'probe.begin', target }, probeMs);
      if (!asked.ok) return restarting('broker-probe');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'answered':
          return answer(200, { ok: true, host, port, resolved: outcome.address, message: answers });
        case 'failed':
          return answer(200, { ok: false, host, port, error: outcome.error, message: adviceOf(outcome, target) });
        case 'replaced':
          return refuse('probe-replaced', 'Another address is being checked now. Check this one again.');
      }
    },
  );
  declare(
    {
      operationId: 'getDiscovery',
      method: 'get',
      path: '/api/v1/config/discovery',
      tag: 'configuration',
      summary: 'The broker and the Home Assistant that were found, if none is set',
      description: 'Searches the network (mDNS) for at most 5 s if nothing was found before.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('What was found.', Discovery(), {
          example: { mqtt_broker: 'mqtt://192.168.1.10:1883', ha_url: 'http://192.168.1.10:8123' },
        }),
      }),
      problems: ['restarting'],
    },
    async ({ answer }) => {
      const settings = deps.registry.read('settings')?.context;
      if (settings === undefined || settings.revision === 0) return restarting('settings');
      const isBlank = (key: string): boolean => settings.values[key] === '';
      const [needsBroker, needsHome] = [isBlank('mqtt_broker'), isBlank('ha_url')];
      const asked =
        needsBroker || needsHome ? await deps.registry.ask('finder', { type: 'finder.find' }, findMs) : null;
      const found = asked?.ok === true ? asked.value : null;
      // What a stranger on the network announced is offered only if it could be saved, and in the form in which it
      // would be.
      const home = signInSettings.shape.ha_url.safeParse(found?.url ?? '');
      return answer(200, {
        mqtt_broker: needsBroker && found !== null ? brokerBeside(found.host) : '',
        ha_url: needsHome && home.success ? home.data : '',
      });
    },
  );
};
