import type { StoredEntry } from '#machines/live-log/events.ts';
import type { ChartNode, Machines } from '#machines/status/inspection.ts';
import type { ProfileRow, ShownCatalog } from '#machines/profile-catalog/listing.ts';
import type { SimulatedPanel } from '#machines/simulator/events.ts';
import { absentCamera } from '#machines/camera/status.ts';
import { nothingProbed, probeView } from '#machines/path-probe/view.ts';
import { type CapabilityRow, capabilityRow, type JudgedRow, type TreeNode } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import { statusView } from '#test/fakes/status-view.ts';
import { judgeNetwork, noSocket } from '#machines/home-assistant/network.ts';
import { factsFrom } from '#test/fakes/facts.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

/** The moment of every fixture: 2026-03-14 09:41:00 UTC. */
export const fixtureNow = Date.UTC(2026, 2, 14, 9, 41);

const worker = (id: string, more: Partial<TreeNode> = {}): TreeNode => ({
  id,
  kind: 'worker',
  phase: 'running',
  off: false,
  restarts: 0,
  reason: null,
  since: fixtureNow - 900_000,
  children: [],
  ...more,
});
const group = (id: string, children: TreeNode[]): TreeNode => ({
  id,
  kind: 'group',
  phase: 'running',
  off: false,
  restarts: 0,
  reason: null,
  since: fixtureNow - 900_000,
  children,
});
const row = (
  id: string,
  title: string,
  state: CapabilityRow['state'],
  detail: string,
  more: Partial<JudgedRow> = {},
): CapabilityRow =>
  capabilityRow({
    id,
    title,
    state,
    reason: `${id}-${state}`.replaceAll('_', '-'),
    detail,
    missing: null,
    fix: null,
    ...more,
  });

/** A browser of the panel that shows its dashboard. */
export const drawnRenderer = statusView(factsFrom(settledFacts())).renderer;

/** A panel on which every kind of thing can be seen at once. */
export const fixtureStatus: StatusDocument = {
  // What the pages' tests do not look at is as it is before its part has started.
  ...statusView(factsFrom({})),
  inspecting: false,
  discovery: { state: 'advertising', seen: 'visible', misses: 0, rebuilds: 0, renamed: false, reason: null },
  setup: {
    complete: false,
    put_off: false,
    due: true,
    next: 'identity',
    seen: false,
    steps: [
      {
        stage: 'identity',
        status: 'needs_you',
        blocking: false,
        detail: 'Home Assistant lists the panel under its name.',
      },
      { stage: 'home_assistant', status: 'done', blocking: true, detail: 'Signed in.' },
      { stage: 'broker', status: 'checking', blocking: true, detail: 'Connecting.' },
      { stage: 'renderer', status: 'blocked', blocking: true, detail: 'This follows.' },
      { stage: 'home_dashboard', status: 'put_off', blocking: false, detail: 'Choose.' },
      { stage: 'entity_filter', status: 'not_here', blocking: false, detail: 'No dashboard.' },
    ],
  },
  sign_in: {
    phase: 'needed',
    method: null,
    administrator: null,
    reachable: null,
    failure: null,
    attempt_until: null,
    last_outcome: null,
    settings_revision: 1,
    password: 'none',
    detail: 'Sign in to Home Assistant with your phone.',
  },
  renderer: null,
  panel_assistant_update: { state: 'none' },
  ha_network: judgeNetwork(noSocket, 0),
  ha_path_probe: probeView(nothingProbed('ipv4'), 0),
  camera: absentCamera,
  zigbee_gateway: null,
  configuration: { revision: 1, digest: '00000000', dropped: [], loss: null, last_failure: null, unsaved_off: [] },
  happened: [
    { at: fixtureNow - 190_000, sentence: 'A sentence about screen.', times: 1 },
    { at: fixtureNow - 200_000, sentence: 'A sentence about part.', times: 5 },
    { at: fixtureNow - 300_000, sentence: 'A sentence about configuration.', times: 1 },
    { at: fixtureNow - 600_000, sentence: 'A sentence about broker.', times: 1 },
    { at: fixtureNow - 5_400_000, sentence: 'A sentence about agent.', times: 1 },
  ],
  listener: { port: 8888, family: 'dual' },
  panel: {
    id: 'kitchen',
    name: 'Kitchen panel',
    manufacturer: 'Acme',
    model: 'Wall 8',
    system: 'Debian GNU/Linux 13',
    version: '0.1.0',
    profile: { id: 'linux', title: 'Linux machine', simulated: false },
    started_at: fixtureNow - 5_400_000,
  },
  state: 'needs_you',
  sentence: 'This panel needs you.',
  next: {
    title: 'Let Sconce dim the screen',
    sentence: 'The screen was found, but this user may not change its brightness.',
    fix: {
      command: 'sudo usermod -aG video sconce',
      effect: 'Lets the sconce user change the brightness. Log in again for it to count.',
    },
    href: null,
  },
  warnings: ['The stored file was unreadable at the last start; the previous copy is in use.'],
  capabilities: [
    row('screen', 'Screen', 'working', 'Brightness and power were written and read back.'),
    row('volume', 'Sound', 'working', 'The music stream answers through PipeWire.'),
    row('reboot', 'Reboot', 'needs_you', 'The system does not let this user reboot.', {
      missing: 'A rule that lets the agent reboot.',
      fix: {
        command: 'sudo install -m 644 /usr/share/sconce/50-sconce.rules /etc/polkit-1/rules.d/',
        effect: 'Lets the agent reboot this machine. Changes nothing else.',
      },
    }),
    row('camera', 'Camera', 'not_here', 'No video device was found.'),
    row('mqtt', 'The broker', 'off', 'No broker is set and none was found.'),
  ],
  screen: {
    state: 'working',
    lit: true,
    brightness: 184,
    last_brightness: 184,
    display: 'intel_backlight',
    routes: { brightness: 'backlight', power: 'backlight' },
    fault: null,
    changed: { by: 'http', at: fixtureNow - 190_000 },
  },
  input: {
    state: 'working',
    devices: { touch: 1, key: 0, pointer: 0 },
    keyboards: { connected: 0, on_screen: false },
    last: { kind: 'touch', at: fixtureNow - 200_000 },
    wakes: 3,
    first_touch: { keeps: false, held: 0, refused: null },
    buttons: [],
    last_wake_ms: 4,
  },
  volume: { state: 'working', percent: 42, muted: false, limit_percent: 100, route: 'wpctl', fault: null },
  announcement: {
    phase: 'playing',
    reason: null,
    generation: 3,
    started_at: fixtureNow - 4_000,
    detail: 'An announcement is playing.',
  },
  power: { state: 'working', route: 'logind', last_reboot: null },
  mqtt: {
    phase: 'connected',
    protocol: '5',
    failure: null,
    attempt: 1,
    failing_since: null,
    connected_at: fixtureNow - 600_000,
    source: 'found',
    confirm: null,
    settings_revision: 1,
    detail: 'Connected to the broker.',
  },
  home_presence: {
    state: 'there',
    evidence: ['socket-live', 'entities-shown'],
    shows: 'shown',
    detail: 'Home Assistant shows this panel, which has announced 3 entities.',
  },
  platform: {
    phase: 'live',
    seen: true,
    announced: [
      { key: 'screen', platform: 'light' },
      { key: 'volume', platform: 'number' },
      { key: 'reboot', platform: 'button' },
    ],
    refused: {},
    ghosts: 0,
    due: 0,
    detail: 'Home Assistant has this panel.',
  },
  supervision: group('root', [
    group('base', [worker('store'), worker('settings'), worker('identity')]),
    group('edge', [worker('http'), worker('stream')]),
    group('link', [worker('finder'), worker('mqtt', { restarts: 2 }), worker('publisher')]),
    group('panel', [
      worker('screen'),
      worker('volume', { phase: 'parked', restarts: 5, reason: 'mixer-lost' }),
      worker('power'),
    ]),
  ]),
  taken_at: fixtureNow,
};

const revisionOf = (letter: string): string => letter.repeat(64);

const profileRow = (id: string, letter: string, more: Partial<ProfileRow> = {}): ProfileRow => ({
  id,
  revision: revisionOf(letter),
  origin: 'local',
  display_name: `Panel ${id}`,
  version: '1.0.0',
  author: 'Somebody',
  license: 'MIT',
  maturity: 'draft',
  limitations: [],
  tested_firmware: [],
  links: [],
  bytes: 900,
  drivers: ['screen.simulated', 'relay.simulated'],
  state: 'inactive',
  matches_this_device: false,
  selected: false,
  ...more,
});

/** A catalogue with every kind of revision, in which `hall` is in use and chosen by a person. */
export const fixtureCatalog: ShownCatalog = {
  catalog_revision: 7,
  selection: { mode: 'pinned', id: 'hall', revision: revisionOf('a') },
  active: { id: 'hall', revision: revisionOf('a') },
  pending: null,
  last_known_good: { id: 'hall', revision: revisionOf('a') },
  rollback_to: 'auto',
  activation: { state: 'active', since: fixtureNow - 60_000, reason: null, detail: null },
  issues: [],
  trial: null,
  profiles: [
    profileRow('simulated', 'b', {
      origin: 'bundled',
      state: 'bundled',
      maturity: 'verified',
      matches_this_device: true,
      links: [{ label: 'About it', url: 'https://panel.example/about' }],
    }),
    profileRow('raspberry-pi.touch-2', 'c', {
      origin: 'bundled',
      state: 'bundled',
      maturity: 'experimental',
      limitations: ['Not run on its hardware <b>.'],
      tested_firmware: ['Debian 12'],
    }),
    profileRow('hall', 'a', { state: 'active', selected: true }),
    profileRow('hall', 'd', { version: '1.1.0', state: 'rolled-back' }),
    profileRow('hall', 'e', { version: '1.2.0', state: 'inactive' }),
  ],
};

/** The simulated hardware with one relay closed and its LED on. */
export const fixturePanel: SimulatedPanel = {
  screen: { raw: 700, rawMax: 1000, powered: true },
  led: { on: true, red: 255, green: 140, blue: 40 },
  relays: [true, false, false, true],
  buttons: [fixtureNow - 3_000, null, null, null],
  buttonBacklight: 0,
  buttonLeds: [false, false, false, false],
  held: [false, false, false, false],
  lux: 240,
  celsius: 0,
  humidity: 0,
  proximity: 0,
  zigbee: { running: false, joined: false, cpuPercent: 0 },
  unplugged: [],
  volume: { percent: 42, muted: false },
  camera: { plugged: true, permitted: true, blind: false, jammed: false, occupied: false },
  microphone: { plugged: true, permitted: true, muted: false, stalled: false, occupied: false },
  reboots: 1,
};

/**
 * Forty lines of a log, as many as a page is served with, among them one that is long and one that tries to be markup.
 */
export const fixtureLines: readonly StoredEntry[] = Array.from({ length: 40 }, (_, index) => ({
  kind: 'line',
  at: fixtureNow - 1000 * (40 - index),
  level: index % 7 === 0 ? 'warn' : 'info',
  part: index % 2 === 0 ? 'mqtt' : '',
  text: index === 4 ? '<b>bold</b>' : `Words of line ${index + 1}.`,
  facts: index === 9 ? `code=${'x'.repeat(2000)}` : 'phase=connected',
}));
const state = (name: string, more: Partial<ChartNode> = {}): ChartNode => ({
  id: `volume.${name}`,
  name,
  kind: 'atomic',
  initial: false,
  runs: [],
  edges: [],
  states: [],
  ...more,
});

/** A part with states within states, and one without any. */
export const fixtureMachines: Machines = {
  tree: fixtureStatus.supervision,
  machines: [
    { id: 'stream', value: 'active', chart: null, cut: false },
    {
      id: 'volume',
      value: { ready: 'idle' },
      cut: false,
      chart: {
        ...state(''),
        id: 'volume',
        name: 'volume',
        kind: 'compound',
        runs: ['mixer'],
        edges: [{ kind: 'error', label: 'mixer', guard: null, targets: ['volume.stopped'] }],
        states: [
          state('probing', {
            initial: true,
            edges: [{ kind: 'event', label: 'mixer.found', guard: null, targets: ['volume.ready'] }],
          }),
          state('ready', {
            kind: 'compound',
            edges: [{ kind: 'event', label: 'mixer.lost', guard: 'isLast', targets: ['volume.probing'] }],
            states: [
              state('idle', {
                id: 'volume.ready.idle',
                initial: true,
                edges: [{ kind: 'after', label: 'settle', guard: null, targets: ['volume.ready.writing'] }],
              }),
              state('writing', { id: 'volume.ready.writing' }),
            ],
          }),
          state('stopped', { kind: 'final' }),
        ],
      },
    },
  ],
};
