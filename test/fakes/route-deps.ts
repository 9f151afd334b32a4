import { createLogTail } from '#drivers/log/tail.ts';
import type { TreeNode } from '#machines/kit/status.ts';
import { working } from '#machines/kit/verdict.ts';
import type { RendererFacts } from '#machines/renderer/facts.ts';
import type { EntityFilterContext } from '#machines/entity-filter/events.ts';
import { initialFacts as filterFacts } from '#machines/entity-filter/facts.ts';
import { initialFacts } from '#machines/renderer/initial.ts';
import { descriptors } from '#machines/settings.ts';
import { noButtons } from '#machines/input/buttons.ts';
import type { InputContext } from '#machines/input/events.ts';
import type { AnnouncerContext } from '#machines/announcer/events.ts';
import type { CameraContext } from '#machines/camera/events.ts';
import type { BackupContext } from '#machines/backup/events.ts';
import type { CompanionContext } from '#machines/companion/events.ts';
import type { ConfigCopiesContext } from '#machines/config-copies/events.ts';
import type { HistoryContext } from '#machines/history/events.ts';
import type { HomePresenceContext } from '#machines/home-presence/events.ts';
import type { LogFilesContext } from '#machines/log-files/events.ts';
import type { MaintenanceContext } from '#machines/maintenance/events.ts';
import type { LiveLogContext } from '#machines/live-log/events.ts';
import type { MqttContext } from '#machines/mqtt/events.ts';
import { nothingProbed } from '#machines/path-probe/view.ts';
import type { ProximityContext } from '#machines/proximity/events.ts';
import type { ProfileCatalogContext } from '#machines/profile-catalog/events.ts';
import { trialTimes } from '#machines/profile-catalog/health.ts';
import { nothingObserved } from '#machines/profile-catalog/health.ts';
import type { PublisherContext } from '#machines/publisher/events.ts';
import type { ResetContext } from '#machines/reset/events.ts';
import type { SetupContext } from '#machines/setup/events.ts';
import type { SignInContext } from '#machines/sign-in/events.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { storageView } from '#machines/storage-health/view.ts';
import { classifyHost } from '#machines/status/host.ts';
import type { KnownBase } from '#actors/kit/base-facts.ts';
import { createNetworkTaps } from '#routes/kit/network-taps.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { createStatusReader } from '#routes/status/status-reader.ts';
import { bareHost } from './host.ts';
import { allowedMicrophone, readyVoice } from './voice.ts';
import { fakeRegistry, type FakeRegistry } from './registry.ts';

/** Values of every settable, non-secret key at their defaults. */
const values = Object.fromEntries(
  descriptors.filter((item) => !item.readOnly && !item.secret).map(({ key, defaultValue }) => [key, defaultValue]),
);

/** A settled panel's facts, as the actors would show them. */
export const settledFacts = (): Record<string, unknown> => ({
  store: {
    loadedFrom: 'current',
    loss: null,
    newer: null,
    commits: 3,
    lastFailure: null,
    documentBytes: 900,
    folder: '/nowhere',
  },
  settings: {
    values,
    secrets: { mqtt_password: true },
    expose: { screen: true, diag_cpu: false },
    digest: '1a2b3c4d',
    revision: 1,
    dropped: [],
    openFiles: [],
  },
  identity: {
    panelId: 'hall_panel',
    installId: '00112233445566778899aabbccddeeff',
    friendlyName: 'Hall panel',
    manufacturer: 'Maker',
    model: 'Model',
    system: 'Debian GNU/Linux 13',
    version: '0.1.0',
    build: 'abcdef01',
  },
  'active-profile': {
    id: 'simulated',
    title: 'Simulated panel',
    hash: 'ab12',
    origin: 'bundled',
    version: '1.0.0',
    maturity: 'verified',
    simulated: true,
    absent: [],
    optional: [],
  },
  'profile-catalog': {
    catalog: {
      catalog_revision: 7,
      selection: { mode: 'auto', id: 'simulated', revision: 'a'.repeat(64) },
      active: { id: 'simulated', revision: 'a'.repeat(64) },
      pending: null,
      last_known_good: null,
      rollback_to: null,
      activation: { state: 'active', since: 1, reason: null, detail: null },
      issues: [],
      profiles: [],
    },
    boot: { active: { id: 'simulated', revision: 'a'.repeat(64) }, commandLine: false, issues: [], startedAt: 1 },
    times: trialTimes,
    health: nothingObserved,
    wellSince: null,
    screenBefore: false,
    trial: false,
    deadlineInMs: 0,
    restartDue: false,
  } satisfies ProfileCatalogContext,
  http: { port: 8888, wantedPort: 8888, family: 'dual', failure: null, attempt: 0 },
  reset: {
    scope: null,
    last: null,
    trial: false,
    comesBack: [],
    failure: null,
    restartDue: false,
  } satisfies ResetContext,
  'config-copies': {
    revisions: [
      { id: 2, savedAt: 1_699_999_500_000, keys: 3, changed: ['dashboard_zoom'] },
      { id: 1, savedAt: 1_699_999_000_000, keys: 2, changed: [] },
    ],
    secretsExported: null,
    failure: null,
  } satisfies ConfigCopiesContext,
  maintenance: { running: null, last: null, lastBackupAt: null } satisfies MaintenanceContext,
  backup: { restartDue: false, failure: null } satisfies BackupContext,
  stream: { revision: 0, viewers: 0 },
  history: {
    entries: [{ at: 5, kind: 'screen', by: 'http', code: 'off', times: 1 }],
    recalled: true,
    startedAt: 1,
  } satisfies HistoryContext,
  'live-log': { revision: 0, viewers: 0 } satisfies LiveLogContext,
  'log-files': { failure: null } satisfies LogFilesContext,
  setup: {
    answers: {},
    reachedAt: 1,
    steps: [{ stage: 'broker', status: 'done', blocking: true, detail: 'The panel is connected to your broker.' }],
    foundEntity: null,
  } satisfies SetupContext,
  mqtt: {
    protocol: 5,
    failure: null,
    attempt: 0,
    drops: 0,
    failingSince: null,
    refusedCredentials: false,
    isAnonymous: false,
    onlyLost: false,
    connectedAt: 1,
    session: 1,
    source: 'configured',
    release: 'send',
    refusedConfirmation: null,
    panelId: 'hall_panel',
    settingsRevision: 1,
    isUnneeded: false,
  } satisfies MqttContext,
  'home-presence': {
    judged: { state: 'there', evidence: ['socket-live', 'entities-shown'] },
    verdict: working('shown', 'Home Assistant shows this panel, which has announced one entity.'),
    lookup: 'shown',
    foundEntity: null,
    path: 'healthy',
  } satisfies HomePresenceContext,
  companion: {
    surface: 'mqtt',
    wanted: 'mqtt',
    moving: null,
    stays: [],
    clients: [
      {
        keyId: '0011223344556677',
        clientId: '0123456789abcdef0123456789abcdef',
        name: 'Marker Home',
        pairedAt: 1_699_000_000_000,
        usedAt: 1_699_999_000_000,
      },
    ],
    sessions: [],
    pairing: null,
    followed: '0123456789abcdef0123456789abcdef',
    life: null,
    announced: [],
    refused: { connections: 0, commands: 0 },
    failure: null,
    happened: [],
  } satisfies CompanionContext,
  publisher: {
    announced: [{ key: 'screen', entityKind: 'light' }],
    refused: {},
    orphans: 0,
    due: 0,
    homeAssistantDetected: true,
    homeAssistantLeft: false,
    removedElsewhere: false,
    advice: null,
    freeId: null,
    refusedCommands: 0,
    lastRefusal: null,
    storeFault: null,
  } satisfies PublisherContext,
  screen: {
    verdict: working('read-back', 'The screen answers.'),
    display: { name: 'Simulated', rawMax: 200, rawMin: 1, power: true },
    lit: true,
    brightness: 128,
    lastBrightness: 128,
    minimumPercent: 1,
    changed: null,
    fault: null,
    seen: true,
  },
  input: {
    verdict: working('input-read', 'Touch is heard.'),
    counts: { touch: 1, key: 0, pointer: 0 },
    keyboards: { connected: 0, onScreen: false },
    last: null,
    wakes: 0,
    lastWakeMs: -1,
    grabs: false,
    grab: { held: 0, refused: null },
    named: [{ name: 'button_1', here: true }],
    buttons: noButtons,
  } satisfies InputContext,
  volume: {
    verdict: working('read-back', 'Sound answers.'),
    route: 'simulated',
    percent: 40,
    muted: false,
    limitPercent: 100,
    fault: null,
  },
  announcer: {
    verdict: working('player-found', 'Announcements are played.'),
    player: 'mpv',
    phase: 'idle',
    reason: null,
    generation: 0,
    startedAt: null,
    reply: null,
  } satisfies AnnouncerContext,
  power: {
    verdict: working('simulated', 'A reboot is only counted.'),
    route: 'simulated',
    lastReboot: null,
    busy: false,
  },
  renderer: {
    ...initialFacts,
    mode: 'builtin',
    route: 'wayland',
    path: '/lovelace/marker-path',
    rendered: true,
    place: 'dashboard',
    desired: {
      mode: 'auto',
      simulated: false,
      program: 'builtin',
      origin: 'http://marker.test:8123',
      home: '',
      ownOrigin: 'http://127.0.0.1:8888',
      appearance: { zoomPercent: 100, theme: 'follow', kiosk: true, fullscreen: true },
      idleReturnMin: 0,
    },
  } satisfies RendererFacts,
  readings: {
    reading: {
      cpuPercent: 1,
      memoryPercent: 2,
      socCelsius: null,
      bootedAt: 1,
      address: '192.0.2.7',
      wifiName: 'Marker Network',
      wifiSignalDbm: -40,
      routeFamily: 'ipv4',
    },
    takenAt: 1,
  },
  camera: {
    scan: { found: 'none', detail: 'not_enumerated' },
    user: null,
    isEnabled: false,
    session: null,
  } satisfies CameraContext,
  microphone: allowedMicrophone,
  voice: readyVoice,
  'path-probe': nothingProbed('ipv4'),
  'entity-filter': filterFacts satisfies EntityFilterContext,
  'storage-health': { health: storageView(nothingKnown) },
  'sign-in': {
    phase: 'signed-in',
    method: 'oauth',
    displayName: 'Marker Person',
    administrator: false,
    reachable: true,
    failure: null,
    attemptUntil: null,
    look: null,
    lastOutcome: null,
    password: 'none',
    revision: 1,
    settingsRevision: 1,
    at: 1,
  } satisfies SignInContext,
  provisioning: { requirements: [], observed: null },
  proximity: {
    shown: true,
    absence: null,
    source: null,
    near: null,
    level: null,
    trace: [],
    session: null,
    calibrations: [],
    fault: null,
    wakeOnWave: false,
    waves: 0,
  } satisfies ProximityContext,
  simulator: {
    panel: {
      screen: { raw: 100, rawMax: 200, powered: true },
      led: { on: false, red: 0, green: 0, blue: 0 },
      relays: [false, false, false, false],
      buttonBacklight: 0,
      buttonLeds: [false, false, false, false],
      buttons: [null, null, null, null],
      held: [false, false, false, false],
      lux: 120,
      celsius: 0,
      humidity: 0,
      proximity: 0,
      zigbee: { running: false, joined: false, cpuPercent: 0 },
      unplugged: [],
      volume: { percent: 40, muted: false },
      reboots: 0,
      camera: { plugged: true, permitted: true, blind: false, jammed: false, occupied: false },
      microphone: { plugged: true, permitted: true, muted: false, stalled: false, occupied: false },
    },
  },
});

const tree: TreeNode = {
  id: 'root',
  kind: 'group',
  phase: 'running',
  off: false,
  restarts: 0,
  reason: null,
  since: 1,
  children: [],
};

const knownBase: KnownBase = { panelId: 'hall_panel', digest: '1a2b3c4d' };

/** An admission that asks for nothing, as in Relaxed mode. */
const relaxedAdmission: RouteDeps['admission'] = {
  asks: () => false,
  admit: () => ({ ok: true }),
  admitClosed: () => ({ ok: true }),
};

const sourcesOf = (
  more: Partial<RouteDeps>,
  facts: Readonly<Record<string, unknown>>,
): Omit<RouteDeps, 'status'> & { readonly registry: FakeRegistry } => ({
  admission: relaxedAdmission,
  tree: () => tree,
  revive: () => {},
  now: () => 1_700_000_000_000,
  elapsed: () => 1_000_000,
  networkTaps: createNetworkTaps(() => 1_000_000),
  startedAt: 1_699_999_000_000,
  bundles: {},
  assets: new Map([
    ['app.js', { type: 'text/javascript; charset=utf-8', body: () => new TextEncoder().encode('1'), coded: {} }],
    ['companion.zip', { type: 'application/zip', body: () => new TextEncoder().encode('PK'), coded: {} }],
  ]),
  build: 'abcdef01',
  version: '0.1.0',
  simulated: true,
  inspection: null,
  verifyAnswers: true,
  host: () => classifyHost(bareHost),
  report: (failure) => {
    throw failure;
  },
  stopping: () => false,
  logs: createLogTail({ lines: 8, scrub: (text) => text }),
  scrub: (text) => text,
  ownNames: () => [],
  rootShell: false,
  base: { known: () => knownBase, whenKnown: async () => true },
  parts: { areStarted: () => true, whenStarted: async () => {} },
  ...more,
  registry: fakeRegistry(facts),
});

/** Dependencies of the routes over a fake registry. */
export function fakeDeps(
  more: Partial<RouteDeps> = {},
  facts = settledFacts(),
): RouteDeps & { readonly registry: FakeRegistry } {
  const sources = sourcesOf(more, facts);
  return { ...sources, status: createStatusReader(sources), ...more, registry: sources.registry };
}
