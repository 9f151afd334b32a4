import type { AdbContext } from './adb/events.ts';
import type { AdvertiserContext } from './advertiser/events.ts';
import { judgeAdvertiser } from './advertiser/verdict.ts';
import type { AnnouncerContext } from './announcer/events.ts';
import type { CameraContext } from './camera/events.ts';
import type { InputContext } from './input/events.ts';
import type { SnapshotView } from './kit/snapshot.ts';
import { checking, type Fix, type Verdict, working } from './kit/verdict.ts';
import { lightCapabilities, type LightContext, type LightId, lightIds } from './lights/events.ts';
import type { MqttContext } from './mqtt/events.ts';
import type { PathProbeContext } from './path-probe/events.ts';
import type { PowerContext } from './power/events.ts';
import { judgeProximity } from './proximity/decide.ts';
import type { ProximityContext } from './proximity/events.ts';
import type { PublisherContext } from './publisher/events.ts';
import type { ReadingsContext } from './readings/events.ts';
import { type RelayContext, type RelayId, relayIds } from './relays/events.ts';
import type { RendererContext } from './renderer/events.ts';
import type { ScreenContext } from './screen/events.ts';
import type { SensorContext } from './sensors/events.ts';
import type { SignInContext } from './sign-in/events.ts';
import type { StorageHealthContext } from './storage-health/events.ts';
import type { VolumeContext } from './volume/events.ts';
import type { ZigbeeContext } from './zigbee/events.ts';

/** One thing a panel may be able to do, and who knows whether it can. */
export interface Capability {
  /** Stable lower-case id, also what entity rows name as their `capability`. */
  readonly id: string;
  /** Shown to the owner, sentence case. */
  readonly title: string;
  /** Registry id of the actor whose snapshot is read. */
  readonly actor: string;
  /** The verdict on a snapshot of that actor. */
  readonly read: (snapshot: SnapshotView) => Verdict;
  /** Whether there is such a thing at all; rows without it are always there. */
  readonly shown?: (snapshot: SnapshotView) => boolean;
}

const verdict = (
  state: Verdict['state'],
  reason: string,
  detail: string,
  missing: string | null = null,
  fix: Fix | null = null,
): Verdict => ({
  state,
  reason,
  detail,
  missing,
  fix,
});

const needsYou = (reason: string, detail: string, missing: string, fix: Fix | null = null): Verdict =>
  verdict('needs_you', reason, detail, missing, fix);

/** The verdict on the link to the broker. */
export const judgeBroker = ({ phase, source, failure }: Pick<MqttContext, 'phase' | 'source' | 'failure'>): Verdict => {
  switch (phase) {
    case 'off':
      return needsYou(
        'no-broker',
        "Enter your broker's address under Configure, and Home Assistant can see this panel.",
        'The address of the broker.',
      );
    case 'discovering':
      return needsYou(
        'looking-for-broker',
        "Sconce looks for Home Assistant on this network. If it is not found, enter your broker's address under Configure.",
        'The address of the broker.',
      );
    case 'ambiguous':
      return needsYou(
        'more-than-one-platform',
        "There is more than one Home Assistant on this network. Enter the address of the right one's broker under Configure.",
        'A choice between them.',
      );
    case 'connecting':
      return verdict('checking', 'connecting', 'Sconce is connecting to the broker.');
    case 'connected':
      return working('connected', 'The broker is connected.');
    case 'auth_failed':
      return needsYou(
        'wrong-credentials',
        'The broker refused the user name or the password. Enter the right ones under Configure.',
        'The right user name and password.',
      );
    case 'config_error':
      return needsYou(
        'bad-address',
        "The broker's address cannot be used. Correct it under Configure.",
        "A usable broker's address.",
      );
    case 'unreachable':
      return needsYou(
        failure === 'ENOTFOUND' || failure === 'EAI_AGAIN' ? 'broker-name-unknown' : 'broker-unreachable',
        failure === 'ENOTFOUND' || failure === 'EAI_AGAIN'
          ? "The broker's name is not known on this network. Check its address under Configure."
          : source === 'found'
            ? 'Home Assistant was found, but no broker answers there. Check that one runs, or enter its address under Configure.'
            : 'The broker does not answer. Check that it runs and that its address under Configure is right; Sconce keeps trying.',
        'A broker that answers.',
      );
  }
};

/** The verdict on publishing entities to the platform. */
export const judgePlatform = ({
  phase,
  announced,
  refused,
  platformSeen,
  removedElsewhere,
  advice,
}: Pick<
  PublisherContext,
  'phase' | 'announced' | 'refused' | 'platformSeen' | 'removedElsewhere' | 'advice'
>): Verdict => {
  if (removedElsewhere) {
    return needsYou(
      'removed-elsewhere',
      advice ?? 'This panel was removed from Home Assistant. Restart Sconce to bring it back.',
      'A restart of Sconce, if you want the panel back.',
    );
  }
  switch (phase) {
    case 'waiting':
      return verdict(
        'off',
        'waiting-for-broker',
        'Home Assistant sees this panel as soon as the broker is connected.',
        'A connection to the broker.',
      );
    case 'claiming':
    case 'announcing':
      return verdict('checking', phase, 'Sconce is introducing this panel to Home Assistant.');
    case 'duplicate':
      return needsYou(
        'panel-id-taken',
        advice ?? 'Another machine already uses the panel id of this one. Give this panel another id under Configure.',
        'A panel id of its own.',
      );
    case 'live': {
      const left = Object.keys(refused).length;
      const count = announced.length === 1 ? 'one entity' : `${announced.length} entities`;
      if (left > 0) {
        return verdict(
          'working',
          'live-in-part',
          `Home Assistant is told about ${count} of this panel.`,
          left === 1
            ? 'One entity was left out: its description would be refused.'
            : `${left} entities were left out: their descriptions would be refused.`,
        );
      }
      return platformSeen
        ? working('live', `Home Assistant is online and is told about ${count} of this panel.`)
        : working('live-unconfirmed', `Home Assistant is told about ${count} of this panel through the broker.`);
    }
  }
};

/** The verdict on the sign-in to the platform. */
export const judgeSignIn = ({
  phase,
  reachable,
  method,
}: Pick<SignInContext, 'phase' | 'reachable' | 'method'>): Verdict => {
  switch (phase) {
    case 'no-address':
      return verdict(
        'off',
        'no-address',
        'Enter the address of Home Assistant, and this panel can sign in and show a dashboard.',
        'The address of Home Assistant.',
      );
    case 'needed':
      return needsYou(
        'sign-in-needed',
        'Sign in to Home Assistant with your phone or in this browser; the panel never sees your password.',
        'A sign-in.',
      );
    case 'pending':
      return needsYou(
        'sign-in-pending',
        'A sign-in was begun. Finish it on the page of Home Assistant, or begin anew.',
        'The end of the sign-in.',
      );
    case 'refused':
      return needsYou(
        'sign-in-refused',
        method === 'long-lived'
          ? 'Home Assistant no longer takes the access token of this panel. Sign in, or enter another token under Configure.'
          : 'Home Assistant no longer takes the sign-in of this panel: it was revoked. Sign in again.',
        'A new sign-in.',
      );
    case 'signed-in':
      if (reachable === null) return verdict('checking', 'signing-in', 'Sconce is signing in to Home Assistant.');
      return reachable
        ? working('signed-in', 'This panel is signed in to Home Assistant.')
        : verdict(
            'working',
            'signed-in-unreachable',
            'This panel is signed in; Home Assistant does not answer right now, and Sconce keeps trying.',
            'An answer of Home Assistant.',
          );
  }
};

/** The verdict on the storage. */
export const judgeStorage = ({ health }: Pick<StorageHealthContext, 'health'>): Verdict => {
  if (health.state === 'unchecked')
    return health.checked_at === null
      ? checking
      : needsYou('capacity-unknown', `${health.summary} ${health.action}`, 'A readable data folder.');
  if (health.state === 'healthy') return working('healthy', health.summary);
  const reason =
    health.state === 'database_failure'
      ? `save-failed-${(health.failure ?? 'unknown').replace('_', '-')}`
      : `space-${health.state}`;
  return needsYou(
    reason,
    `${health.summary} ${health.action}`,
    health.failure === null || health.failure === 'storage_full' ? 'Free space.' : 'A save that works.',
  );
};

const videoGroup = (user: string | null): Fix => ({
  command: `sudo usermod -aG video ${user ?? '"$USER"'}`,
  effect: 'Lets the user of Sconce open video devices; start Sconce again afterwards.',
});

/** The verdict on the camera. */
export const judgeCamera = ({ camera, look, user = null }: CameraContext): Verdict => {
  if (look === null) return checking;
  if (look.found === 'devices') {
    return look.refused === look.count
      ? verdict(
          'off',
          'camera-not-permitted',
          camera.summary,
          'Permission to open the video device, and a version of Sconce with a camera stream.',
          videoGroup(user),
        )
      : verdict('off', 'no-camera-session', camera.summary, 'A version of Sconce with a camera stream.');
  }
  switch (look.detail) {
    case 'not_enumerated':
      return verdict('not_here', 'no-camera', camera.summary, 'A camera.');
    case 'suppressed_by_profile':
      return verdict('not_here', 'no-camera-by-profile', camera.summary);
    case 'undetermined':
      return verdict('off', 'camera-undetermined', camera.summary, 'Permission to list the video devices.');
  }
};

const PING_GROUPS: Fix = {
  command: 'sudo sysctl -w net.ipv4.ping_group_range="0 2147483647"',
  effect: 'Lets every user of this machine send pings, until the next reboot.',
};

/**
 * The verdict on the ICMP socket; never `needs_you`, since the probe must not raise a warning (contract, "Rules for
 * `ha_path_probe`").
 */
export const judgePathProbe = ({ supported }: Pick<PathProbeContext, 'supported'>): Verdict => {
  if (supported === null) return checking;
  return supported
    ? working('socket-opened', 'Sconce may measure the way to Home Assistant with pings.')
    : verdict(
        'off',
        'socket-refused',
        'The system does not let Sconce send pings, so the way to Home Assistant cannot be measured. Nothing else is affected.',
        'Permission to send pings.',
        PING_GROUPS,
      );
};

/** The verdict on the processor's temperature. */
export const judgeTemperature = ({ reading }: Pick<ReadingsContext, 'reading'>): Verdict => {
  if (reading === null) return checking;
  return reading.socCelsius === null
    ? verdict(
        'not_here',
        'no-sensor',
        'This machine does not show the temperature of its processor.',
        'A temperature sensor that the kernel knows.',
      )
    : working('sensor-read', 'The temperature of the processor is read.');
};

const INSTALL_IW: Fix = {
  command: 'sudo apt install iw',
  effect: 'Installs the small tool that tells the name and the signal of the Wi-Fi network.',
};

/** The verdict on reading the Wi-Fi. */
export const judgeWifi = ({ reading }: Pick<ReadingsContext, 'reading'>): Verdict => {
  if (reading === null) return checking;
  if (reading.wifi === 'none') return verdict('not_here', 'no-wifi', 'This machine has no Wi-Fi.');
  if (reading.wifi === 'idle')
    return verdict('off', 'wifi-not-joined', 'This machine has Wi-Fi, and it is not joined to a network.');
  if (reading.wifiName !== null && reading.wifiSignalDbm !== null)
    return working('wifi-read', 'The name and the signal of the Wi-Fi network are read.');
  const missing = reading.wifiName === null ? 'A way to read the name of the network.' : 'A way to read the signal.';
  return reading.wifiName === null && reading.wifiSignalDbm === null
    ? verdict(
        'off',
        'wifi-unreadable',
        'This machine is joined to a Wi-Fi network whose name and signal cannot be read.',
        missing,
        INSTALL_IW,
      )
    : verdict(
        'working',
        'wifi-in-part',
        'Only a part of what there is to know about the Wi-Fi network can be read.',
        missing,
        INSTALL_IW,
      );
};

/** Whether the buttons that the profile names are here. */
export const judgeButtons = ({ verdict: own, named }: Pick<InputContext, 'verdict' | 'named'>): Verdict => {
  const away = named.filter(({ here }) => !here).map(({ name }) => name);
  if (own.state === 'needs_you' || own.state === 'checking' || own.state === 'off') return own;
  if (named.length > 0 && away.length === 0)
    return working('buttons-read', `Listening to ${named.map(({ name }) => name).join(', ')}.`);
  const missing = 'An input device with the name and the key that the profile gives.';
  return away.length === named.length
    ? verdict(
        'not_here',
        'no-button',
        'None of the buttons that the profile names is on this machine now. One that is plugged in is used within seconds.',
        missing,
      )
    : verdict(
        'working',
        'buttons-in-part',
        `Listening to the buttons that are here; not here: ${away.join(', ')}.`,
        missing,
      );
};

/** The public facts of each actor that is judged, by its registry id. */
interface Facts extends Readonly<Record<LightId, LightContext>>, Readonly<Record<RelayId, RelayContext>> {
  readonly screen: ScreenContext;
  readonly screen_2: ScreenContext;
  readonly screen_3: ScreenContext;
  readonly screen_4: ScreenContext;
  readonly input: InputContext;
  readonly volume: VolumeContext;
  readonly announcer: AnnouncerContext;
  readonly power: PowerContext;
  readonly proximity: ProximityContext;
  readonly illuminance: SensorContext;
  readonly temperature: SensorContext;
  readonly humidity: SensorContext;
  readonly zigbee: ZigbeeContext;
  readonly camera: CameraContext;
  readonly mqtt: MqttContext;
  readonly publisher: PublisherContext;
  readonly advertiser: AdvertiserContext;
  readonly 'sign-in': SignInContext;
  readonly 'storage-health': StorageHealthContext;
  readonly 'path-probe': PathProbeContext;
  readonly readings: ReadingsContext;
  readonly renderer: RendererContext;
  readonly adb: AdbContext;
}

const row = <A extends keyof Facts>(
  id: string,
  title: string,
  actor: A,
  judge: (facts: Facts[A]) => Verdict,
): Capability => ({
  id,
  title,
  actor,
  // A row is only ever given snapshots of the actor it names, whose context has the type its judge takes.
  read: (snapshot) => judge(snapshot.context as Facts[A]),
});

const ownVerdict = (facts: { readonly verdict: Verdict }): Verdict => facts.verdict;

// As above: these rows name screens.
const isSeen = (snapshot: SnapshotView): boolean => (snapshot.context as ScreenContext).seen;

const furtherScreens: readonly Capability[] = (['screen_2', 'screen_3', 'screen_4'] as const).map((id, index) => ({
  ...row(id, `Screen ${index + 2}`, id, ownVerdict),
  shown: isSeen,
}));

const lightTitles: Readonly<Record<LightId, string>> = {
  led: 'LED',
  buttons: 'Button backlight',
  button_led1: 'Button LED 1',
  button_led2: 'Button LED 2',
  button_led3: 'Button LED 3',
  button_led4: 'Button LED 4',
};
const sensors: readonly Capability[] = (
  [
    ['illuminance', 'Light sensor'],
    ['temperature', 'Temperature'],
    ['humidity', 'Humidity'],
  ] as const
).map(([id, title]) => ({
  ...row(id, title, id, ownVerdict),
  // As above: these rows name sensors.
  shown: (snapshot: SnapshotView) => (snapshot.context as SensorContext).shown,
}));

/** Every capability that is judged, in the order in which pages show them. */
export const capabilities: readonly Capability[] = [
  row('adb', 'Android panel', 'adb', ownVerdict),
  row('screen', 'Screen', 'screen', ownVerdict),
  ...furtherScreens,
  row('touch', 'Touch and keys', 'input', ownVerdict),
  row('buttons', 'Hardware buttons', 'input', judgeButtons),
  row('dashboard', 'Dashboard', 'renderer', ownVerdict),
  ...lightIds.map((id) => row(lightCapabilities[id], lightTitles[id], id, ownVerdict)),
  ...relayIds.map((id, index) => row(id, `Relay ${index + 1}`, id, ownVerdict)),
  row('volume', 'Volume', 'volume', ownVerdict),
  row('announcements', 'Announcements', 'announcer', ownVerdict),
  row('reboot', 'Reboot', 'power', ownVerdict),
  // As above: this row names the proximity sensor.
  {
    ...row('proximity', 'Proximity', 'proximity', judgeProximity),
    shown: (snapshot) => (snapshot.context as ProximityContext).shown,
  },
  ...sensors,
  row('zigbee', 'Zigbee gateway', 'zigbee', ownVerdict),
  row('camera', 'Camera', 'camera', judgeCamera),
  row('mqtt', 'Broker', 'mqtt', judgeBroker),
  row('platform', 'Home Assistant', 'publisher', judgePlatform),
  row('discovery', 'Discovery', 'advertiser', judgeAdvertiser),
  row('sign-in', 'Sign-in', 'sign-in', judgeSignIn),
  row('storage', 'Storage', 'storage-health', judgeStorage),
  row('icmp', 'Path probe', 'path-probe', judgePathProbe),
  row('soc-temperature', 'Processor temperature', 'readings', judgeTemperature),
  row('wifi', 'Wi-Fi', 'readings', judgeWifi),
];
