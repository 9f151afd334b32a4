import type { AdvertiserContext } from '#machines/advertiser/events.ts';
import { discoveryState } from '#machines/advertiser/verdict.ts';
import { capabilities } from '#machines/capabilities.ts';
import { describeAnnouncement } from '#machines/announcer/describe.ts';
import type { AnnouncerContext } from '#machines/announcer/events.ts';
import type { CameraContext } from '#machines/camera/events.ts';
import type { HistoryContext } from '#machines/history/events.ts';
import type { HttpContext } from '#machines/http/events.ts';
import type { IdentityContext } from '#machines/identity/events.ts';
import type { InputContext } from '#machines/input/events.ts';
import { checking } from '#machines/kit/verdict.ts';
import type { MqttContext } from '#machines/mqtt/events.ts';
import type { PathProbeContext } from '#machines/path-probe/events.ts';
import type { PowerContext } from '#machines/power/events.ts';
import type { ProfileContext } from '#machines/profile/events.ts';
import type { PublisherContext } from '#machines/publisher/events.ts';
import type { RendererFacts } from '#machines/renderer/facts.ts';
import { projectRenderer } from '#machines/renderer/project.ts';
import type { ScreenContext } from '#machines/screen/events.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import type { SignInContext } from '#machines/sign-in/events.ts';
import type { StorageHealthContext } from '#machines/storage-health/events.ts';
import type { StoreContext } from '#machines/store/events.ts';
import type { VolumeContext } from '#machines/volume/events.ts';
import { gatewayAttributes } from '#machines/zigbee/attributes.ts';
import type { ZigbeeContext } from '#machines/zigbee/events.ts';
import { ZigbeeGatewayStatus } from '#machines/status/zigbee-object.ts';
import type { ProfilesContext } from '#machines/profiles/asks.ts';
import type { CapabilityRow, StatusDocument, TreeNode } from '#machines/status/document.ts';
import { idleNetwork } from '#machines/status/idle-network.ts';
import { summarise } from '#machines/status/summary.ts';
import { warningsOf } from '#machines/status/warnings.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { happeningWords } from '#ui/strings/happened.ts';
import { absentCamera, unprovenPath, uncheckedStorage } from './before-first-look.ts';

/** Capabilities in the order in which a person should care about them when several need something. */
const order = ['screen', 'storage', 'sign-in', 'mqtt', 'platform', 'volume', 'announcements', 'reboot'];

/** Entries of the history in the status document. */
const shownEntries = 5;

/** Why the selected profile was taken back; null where it was not. */
const takenBack = (profiles: ProfilesContext | undefined): string | null =>
  profiles?.catalog?.activation.state === 'rolled_back' ? profiles.catalog.activation.detail : null;

/** The newest entries of the history as sentences, the newest first. */
export const readHappened = (deps: RouteDeps, count: number): StatusDocument['happened'] =>
  (deps.registry.read<HistoryContext>('history')?.context.entries ?? [])
    .slice(-count)
    .toReversed()
    .map((entry) => ({ at: entry.at, sentence: happeningWords(entry), times: entry.times }));

/** Ids of the parts that are parked, groups among them. */
export const parkedParts = (node: TreeNode): string[] => [
  ...(node.phase === 'parked' ? [node.id] : []),
  ...node.children.flatMap((child) => parkedParts(child)),
];

/** The verdicts on everything that has a part in this agent's tree and is not declared absent by the profile. */
const readCapabilities = (deps: RouteDeps, absent: readonly string[]): CapabilityRow[] => {
  const supervised = deps.registry.ids();
  return capabilities
    .filter((row) => supervised.includes(row.actor) && !absent.includes(row.id))
    .flatMap((row) => {
      const snapshot = deps.registry.read(row.actor);
      if (row.shown !== undefined && (snapshot === undefined || !row.shown(snapshot))) return [];
      const verdict = snapshot === undefined ? checking : row.read(snapshot);
      return [{ id: row.id, title: row.title, ...verdict }];
    });
};

const sentenceOf = (rows: readonly CapabilityRow[], id: string): string =>
  rows.find((row) => row.id === id)?.detail ?? '';

const screenOf = (screen: ScreenContext | undefined): StatusDocument['screen'] =>
  screen === undefined
    ? null
    : {
        state: screen.verdict.state,
        lit: screen.lit,
        brightness: screen.brightness,
        last_brightness: screen.lastBrightness,
        display: screen.display?.name ?? null,
        routes: screen.display?.routes ?? null,
        fault: screen.fault,
        changed: screen.changed,
      };

const inputOf = (input: InputContext | undefined): StatusDocument['input'] =>
  input === undefined
    ? null
    : {
        state: input.verdict.state,
        devices: input.counts,
        last: input.last,
        wakes: input.wakes,
        first_touch: { keeps: input.keeps, ...input.grip },
        buttons: [...input.named],
        last_wake_ms: input.lastWakeMs,
      };

const volumeOf = (volume: VolumeContext | undefined): StatusDocument['volume'] =>
  volume === undefined
    ? null
    : {
        state: volume.verdict.state,
        percent: volume.percent,
        muted: volume.muted,
        limit_percent: volume.limitPercent,
        route: volume.route,
        fault: volume.fault,
      };

const announcementOf = (announcer: AnnouncerContext | undefined): StatusDocument['announcement'] =>
  announcer === undefined
    ? null
    : {
        phase: announcer.phase,
        reason: announcer.reason,
        generation: announcer.generation,
        started_at: announcer.startedAt,
        detail: describeAnnouncement(announcer.phase, announcer.reason),
      };

const mqttOf = (mqtt: MqttContext | undefined, detail: string): StatusDocument['mqtt'] =>
  mqtt === undefined
    ? null
    : {
        phase: mqtt.phase,
        protocol: mqtt.protocol === null ? null : mqtt.protocol === 5 ? '5' : '3.1.1',
        failure: mqtt.failure,
        attempt: mqtt.attempt,
        connected_at: mqtt.connectedAt,
        source: mqtt.source,
        detail,
      };

const platformOf = (publisher: PublisherContext | undefined, detail: string): StatusDocument['platform'] =>
  publisher === undefined
    ? null
    : {
        phase: publisher.phase,
        seen: publisher.platformSeen,
        announced: publisher.announced.map(({ key, platform }) => ({ key, platform })),
        refused: { ...publisher.refused },
        ghosts: publisher.ghosts,
        detail,
      };

const discoveryOf = (advertiser: AdvertiserContext | undefined): StatusDocument['discovery'] =>
  advertiser === undefined
    ? null
    : {
        state: discoveryState(advertiser),
        seen: advertiser.seen,
        misses: advertiser.recovery.misses,
        rebuilds: advertiser.recovery.rebuilds,
        renamed: advertiser.renamed,
        reason: advertiser.recovery.code,
      };

const signInOf = (signIn: SignInContext | undefined, detail: string): StatusDocument['sign_in'] =>
  signIn === undefined
    ? null
    : {
        phase: signIn.phase,
        method: signIn.method,
        administrator: signIn.administrator,
        reachable: signIn.reachable,
        attempt_until: signIn.attemptUntil,
        last_outcome: signIn.lastOutcome,
        detail,
      };

const zigbeeOf = (zigbee: ZigbeeContext | undefined): StatusDocument['zigbee_gateway'] =>
  zigbee === undefined ? null : ZigbeeGatewayStatus.parse({ state: zigbee.state, ...gatewayAttributes(zigbee) });

/** The status document, read from the actors' snapshots as they are at this moment. */
export const readStatus = (deps: RouteDeps): StatusDocument => {
  const context = <C>(id: string): C | undefined => deps.registry.read<C>(id)?.context;
  const identity = context<IdentityContext>('identity');
  const profile = context<ProfileContext>('profile');
  const settings = context<SettingsContext>('settings');
  const store = context<StoreContext>('store');
  const http = context<HttpContext>('http');
  const mqtt = context<MqttContext>('mqtt');
  const publisher = context<PublisherContext>('publisher');
  const advertiser = context<AdvertiserContext>('advertiser');
  const power = context<PowerContext>('power');
  const renderer = context<RendererFacts>('renderer');
  const tree = deps.tree();
  const rows = readCapabilities(deps, profile?.absent ?? []);
  const storage = context<StorageHealthContext>('storage-health')?.health ?? uncheckedStorage;
  const configuration: StatusDocument['configuration'] = {
    revision: settings?.revision ?? 0,
    digest: settings?.digest ?? '00000000',
    dropped: [...(settings?.dropped ?? [])],
    loss: store?.loss?.reason ?? null,
    last_failure: store?.lastFailure?.reason ?? null,
  };
  const summary = summarise({
    simulated: profile?.simulated ?? false,
    capabilities: rows,
    order,
    connected: mqtt?.phase === 'connected' && publisher?.phase === 'live',
    announced: publisher?.announced.length ?? 0,
    parked: parkedParts(tree),
    loss: configuration.loss,
  });
  return {
    panel: {
      id: identity?.panelId ?? '',
      name: identity?.friendlyName ?? '',
      manufacturer: identity?.manufacturer ?? '',
      model: identity?.model ?? '',
      system: identity?.system ?? '',
      version: deps.version,
      profile: { id: profile?.id ?? '', title: profile?.title ?? '', simulated: profile?.simulated ?? false },
      started_at: deps.startedAt,
    },
    ...summary,
    inspecting: deps.inspection !== null,
    warnings: warningsOf({
      simulated: profile?.simulated ?? false,
      configuration,
      storage,
      publisher: publisher ?? null,
      unseen: advertiser?.recovery.phase === 'exhausted',
      profile: takenBack(context<ProfilesContext>('profiles')),
    }),
    capabilities: rows,
    screen: screenOf(context<ScreenContext>('screen')),
    input: inputOf(context<InputContext>('input')),
    volume: volumeOf(context<VolumeContext>('volume')),
    announcement: announcementOf(context<AnnouncerContext>('announcer')),
    power:
      power === undefined ? null : { state: power.verdict.state, route: power.route, last_reboot: power.lastReboot },
    mqtt: mqttOf(mqtt, sentenceOf(rows, 'mqtt')),
    platform: platformOf(publisher, sentenceOf(rows, 'platform')),
    discovery: discoveryOf(advertiser),
    sign_in: signInOf(context<SignInContext>('sign-in'), sentenceOf(rows, 'sign-in')),
    renderer: renderer === undefined ? null : projectRenderer(renderer),
    panel_assistant_update: { state: 'none' },
    ha_network: idleNetwork,
    ha_path_probe: context<PathProbeContext>('path-probe')?.probe ?? unprovenPath,
    camera: context<CameraContext>('camera')?.camera ?? absentCamera,
    zigbee_gateway: zigbeeOf(context<ZigbeeContext>('zigbee')),
    storage_health: storage,
    configuration,
    happened: readHappened(deps, shownEntries),
    listener: { port: http?.port ?? -1, family: http?.family ?? null },
    supervision: tree,
    taken_at: deps.now(),
  };
};
