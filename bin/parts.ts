import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ChildSpec } from '#actors/kit/spec.ts';
import type { Parts } from '#actors/tree.ts';
import type { Registry } from '#actors/kit/registry.ts';
import { adbSpec } from '#actors/adb.ts';
import { advertiserSpec } from '#actors/advertiser.ts';
import { announcerSpec } from '#actors/announcer.ts';
import { cameraSpec } from '#actors/camera.ts';
import { finderSpec } from '#actors/finder.ts';
import { historySpec } from '#actors/history.ts';
import { httpSpec } from '#actors/http.ts';
import { identitySpec } from '#actors/identity.ts';
import { inputSpec } from '#actors/input.ts';
import { lightSpec } from '#actors/lights.ts';
import { logsSpec } from '#actors/logs.ts';
import { inspectorSpec } from '#actors/inspector.ts';
import { mqttSpec } from '#actors/mqtt.ts';
import { pathProbeSpec } from '#actors/path-probe.ts';
import { powerSpec } from '#actors/power.ts';
import { profileSpec } from '#actors/profile.ts';
import { profilesSpec } from '#actors/profiles.ts';
import { provisioningSpec } from '#actors/provisioning.ts';
import { proximitySpec } from '#actors/proximity.ts';
import { publisherSpec } from '#actors/publisher.ts';
import { readingsSpec } from '#actors/readings.ts';
import { relaySpec } from '#actors/relays.ts';
import { relightSpec } from '#actors/relight.ts';
import { rendererSpec } from '#actors/renderer.ts';
import { screenSpec } from '#actors/screen.ts';
import { sensorSpec } from '#actors/sensors.ts';
import { serviceSpec } from '#actors/service.ts';
import { readSecret, settingsSpec } from '#actors/settings.ts';
import { readAccessToken, signInSpec } from '#actors/sign-in.ts';
import { simulatorSpec } from '#actors/simulator.ts';
import { storageHealthSpec } from '#actors/storage-health.ts';
import { storeSpec } from '#actors/store.ts';
import { streamSpec } from '#actors/stream.ts';
import { volumeSpec } from '#actors/volume.ts';
import { zigbeeSpec } from '#actors/zigbee.ts';
import { adbBridge } from '#drivers/adb/bridge.ts';
import { lanWatch } from '#drivers/advertiser/lan-watch.ts';
import { mdnsResponder } from '#drivers/advertiser/responder.ts';
import { announcerLane } from '#drivers/announcer/lane.ts';
import { linuxCamera } from '#drivers/camera/linux.ts';
import { platformBrowser } from '#drivers/finder/browse.ts';
import { httpListener } from '#drivers/http/listener.ts';
import { machineFactsDriver } from '#drivers/identity/machine-facts.ts';
import type { Logger } from '#drivers/log/logger.ts';
import { tailDriver } from '#drivers/log/tail-driver.ts';
import { brokerClient } from '#drivers/mqtt/client.ts';
import { icmpSocket } from '#drivers/path-probe/icmp-socket.ts';
import { provisioningEyes } from '#drivers/provisioning/observe.ts';
import { linuxReadings } from '#drivers/readings/linux.ts';
import { relightWatcher } from '#drivers/relight/watcher.ts';
import { chromiumBrowser } from '#drivers/renderer/chromium.ts';
import { byProgram } from '#drivers/renderer/choose.ts';
import { firefox, foreignBrowser } from '#drivers/renderer/foreign.ts';
import { platformReach } from '#drivers/renderer/reach.ts';
import { profileFiles } from '#drivers/profiles/files.ts';
import { selfAnswer } from '#drivers/profiles/self-answer.ts';
import type { ServiceEnvironment } from '#drivers/service/environment.ts';
import { serviceNotify } from '#drivers/service/notify.ts';
import { homeAssistant } from '#drivers/sign-in/platform.ts';
import { storageDisk } from '#drivers/storage-health/disk.ts';
import { isDocument } from '#drivers/store/document.ts';
import { ADB_FOLDER } from '#drivers/store/folder.ts';
import { documentDriver } from '#drivers/store/document-driver.ts';
import { lightCapabilities, lightIds } from '#machines/lights/events.ts';
import type { ProfileContext } from '#machines/profile/events.ts';
import { profileIdPattern, revisionPattern } from '#machines/profiles/activation.ts';
import type { ProfilesBoot, TrialTimes } from '#machines/profiles/asks.ts';
import { relayIds } from '#machines/relays/events.ts';
import { screenIds } from '#machines/screen/events.ts';
import { sensorIds } from '#machines/sensors/events.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import { duckedVolumes, givenBack, MOST_DUCKED } from '#machines/announcer/duck.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isPanelItself, nextHop } from '#machines/announcer/source.ts';
import type { RendererMode } from '#machines/renderer/events.ts';
import { admit } from '#machines/http/admission.ts';
import type { HttpContext } from '#machines/http/events.ts';
import { isLanPeer } from '#machines/http/lan-peer.ts';
import { allowedHosts } from '#machines/http/settings.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';
import type { App } from '#routes/app.ts';
import { profileFormat } from './profile-format.ts';

/** What the parts are wired with. */
export interface PartDeps {
  readonly registry: Registry;
  readonly profile: ResolvedProfile;
  readonly log: Logger;
  readonly now: () => number;
  readonly folder: string;
  /** Path of the durable document. */
  readonly document: string;
  readonly port: number;
  readonly version: string;
  readonly build: string;
  readonly app: App;
  readonly service: ServiceEnvironment;
  /** File of the mDNS responder's program; null for an agent that is neither announced nor browses. */
  readonly responder: string | null;
  /** Whether the inspector was asked for. */
  readonly inspecting: boolean;
  /** Path of the script that lights dark screens once the agent is gone; null where there is none to run. */
  readonly relight: string | null;
  /** Whether this agent only looks at the machine, so that it must not touch a screen on its way out. */
  readonly looking: boolean;
  /** What `--renderer` said; null where it said nothing. */
  readonly renderer: RendererMode | null;
  /** What was decided about profiles before the tree starts. */
  readonly boot: ProfilesBoot;
  /** What `--profile` said; null where it said nothing. */
  readonly askedProfile: string | null;
  /** How long a start is watched; a running panel's own times when left out. */
  readonly trialTimes?: TrialTimes;
}

/**
 * With a service manager the unit's own step lights the screen, and an agent that only looks has nothing to put right.
 */
const needsWatcher = ({ profile, service, looking }: PartDeps): boolean =>
  !profile.simulated && profile.screen !== null && service.socket === null && !looking;

const profileFacts = (profile: ResolvedProfile): ProfileContext => ({
  id: profile.id,
  title: profile.title,
  ...profile.revision,
  simulated: profile.simulated,
  absent: [
    ...(profile.screen === null ? ['screen'] : []),
    ...(profile.input === null ? ['touch'] : []),
    ...(profile.input === null || !profile.buttons ? ['buttons'] : []),
    ...(profile.volume === null ? ['volume'] : []),
    ...(profile.loudspeaker === null ? ['announcements'] : []),
    ...(profile.adb === null ? ['adb'] : []),
    ...(profile.power === null ? ['reboot', 'power'] : []),
    ...(profile.proximity === null ? ['proximity'] : []),
    ...lightIds.filter((id) => profile.lights[id] === undefined).map((id) => lightCapabilities[id]),
    ...relayIds.filter((id) => profile.relays[id] === undefined),
    ...[...sensorIds, 'zigbee' as const].filter((id) => profile[id] === null),
  ],
});

const listenerOf = ({ app, registry, log }: PartDeps) =>
  httpListener({
    checks: { admit, isLanPeer },
    fetch: (request, bindings) => app.fetch(request, bindings),
    // The settings actor's context, by the contract of its room.
    allowedHosts: () =>
      allowedHosts(String(registry.read<SettingsContext>('settings')?.context.values['http_allowed_hosts'] ?? '')),
    activeGets: app.isActiveGet,
    maxBodyBytes: app.maxBodyBytes,
    onHandlerFailure: (code) => log.error('a request failed inside', { code }),
  });

const announcerOf = ({ registry, profile, folder, port }: PartDeps): ChildSpec | null =>
  profile.loudspeaker === null
    ? null
    : announcerSpec({
        registry,
        lane: announcerLane({
          rules: {
            source: { firstHop, nextHop, isPanelItself },
            soundKind,
            duck: { duckedVolumes, givenBack, most: MOST_DUCKED },
          },
          loudspeaker: profile.loudspeaker,
          dataFolder: folder,
          ownPort: port,
        }),
      });

const provisioningOf = ({ profile, now }: PartDeps): ChildSpec => {
  const wishes = profile.declared.map(({ wish }) => wish);
  return provisioningSpec({
    wishes,
    eyes: provisioningEyes({
      wishes,
      looks: profile.declared.map(({ wish: { slot }, look }) => ({ slot, look })),
      now,
    }),
  });
};

const profilesOf = ({
  registry,
  profile,
  folder,
  boot,
  askedProfile,
  now,
  version,
  trialTimes: times,
}: PartDeps): ChildSpec =>
  profilesSpec({
    registry,
    boot,
    now,
    version,
    files: profileFiles(folder, { id: profileIdPattern, revision: revisionPattern }),
    format: profileFormat(askedProfile),
    mintToken: () => randomBytes(24).toString('base64url'),
    screen: profile.screen !== null,
    answers: selfAnswer(() => registry.read<HttpContext>('http')?.context.port ?? -1),
    ...(times === undefined ? {} : { times }),
  });

/** Every worker of the agent with its concrete drivers: the one place where rooms meet. */
export const assembleParts = (deps: PartDeps): Parts => {
  const { registry, profile, now } = deps;
  const readPassword = async (): Promise<string | null> => {
    const password = await readSecret(registry, 'mqtt_password');
    if (password !== null) deps.log.protect(password);
    return password;
  };
  return {
    base: {
      store: storeSpec({ folder: deps.folder, document: documentDriver() }),
      settings: settingsSpec({ registry }),
      identity: identitySpec({
        registry,
        machineFacts: machineFactsDriver(),
        version: deps.version,
        build: deps.build,
      }),
      profile: profileSpec(profileFacts(profile)),
    },
    edge: {
      http: httpSpec({ listener: listenerOf(deps), port: deps.port }),
      stream: streamSpec(),
      logs: logsSpec({ tail: tailDriver(deps.log.tail) }),
      inspector: deps.inspecting ? inspectorSpec() : null,
    },
    link: {
      advertiser:
        deps.responder === null
          ? null
          : advertiserSpec({ registry, responder: mdnsResponder(deps.responder), lan: lanWatch() }),
      finder: finderSpec({ registry, browse: deps.responder === null ? null : platformBrowser() }),
      mqtt: mqttSpec({ registry, connection: brokerClient({ readPassword, now }), readPassword }),
      publisher: publisherSpec({ registry, note: (message, facts) => deps.log.warn(message, facts) }),
      pathProbe: pathProbeSpec({ registry, driver: icmpSocket() }),
    },
    panel: {
      relight:
        deps.relight !== null && needsWatcher(deps)
          ? relightSpec({ driver: relightWatcher({ script: deps.relight }) })
          : null,
      screen: profile.screen === null ? null : screenSpec({ registry, driver: profile.screen, looking: deps.looking }),
      furtherScreens: profile.furtherScreens.map((driver, index) =>
        screenSpec({ registry, driver, looking: deps.looking, id: screenIds[index + 1] ?? 'screen_4' }),
      ),
      input: profile.input === null ? null : inputSpec({ registry, driver: profile.input, displays: screenIds }),
      power: profile.power === null ? null : powerSpec({ driver: profile.power }),
      lights: lightIds.flatMap((id) => {
        const driver = profile.lights[id];
        return driver === undefined ? [] : [lightSpec({ id, driver })];
      }),
      relays: relayIds.flatMap((id) => {
        const driver = profile.relays[id];
        return driver === undefined ? [] : [relaySpec({ registry, id, driver, looking: deps.looking })];
      }),
      simulator: profile.simulator === null ? null : simulatorSpec({ driver: profile.simulator }),
      proximity:
        profile.proximity === null ? null : proximitySpec({ registry, driver: profile.proximity, displays: screenIds }),
      sensors: [
        ...sensorIds.flatMap((id) => (profile[id] === null ? [] : [sensorSpec({ registry, id, driver: profile[id] })])),
        ...(profile.zigbee === null ? [] : [zigbeeSpec({ driver: profile.zigbee })]),
      ],
      readings: readingsSpec({ driver: linuxReadings() }),
      provisioning: provisioningOf(deps),
      adb:
        profile.adb === null
          ? null
          : adbSpec({ registry, bridge: adbBridge({ link: profile.adb, folder: join(deps.folder, ADB_FOLDER) }) }),
    },
    view: {
      renderer: rendererSpec({
        registry,
        asked: deps.renderer,
        simulated: profile.simulated,
        reach: platformReach({ now }),
        browser: byProgram({
          builtin: chromiumBrowser({
            folder: deps.folder,
            accessToken: (force) => readAccessToken(registry, force),
            now,
            version: deps.version,
          }),
          firefox: foreignBrowser(firefox, { folder: deps.folder, now }),
        }),
      }),
    },
    media: {
      volume: profile.volume === null ? null : volumeSpec({ registry, driver: profile.volume }),
      announcer: announcerOf(deps),
      camera: cameraSpec({ driver: linuxCamera(), suppressed: profile.cameraSuppressed }),
    },
    access: {
      signIn: signInSpec({
        registry,
        port: homeAssistant(),
        now,
        elapsed: () => performance.now(),
        random: Math.random,
        protect: (value) => deps.log.protect(value),
      }),
    },
    upkeep: {
      history: historySpec({ registry, now, startedAt: now() }),
      profiles: profilesOf(deps),
      storageHealth: storageHealthSpec({
        registry,
        now,
        driver: storageDisk({ folder: deps.folder, document: deps.document, check: isDocument }),
      }),
      service: serviceSpec({
        driver: serviceNotify(deps.service.socket ?? ''),
        listening: deps.service.listening,
        heartbeatMs: deps.service.heartbeatMs,
      }),
    },
  };
};
