import type {
  Feed,
  Moment,
  PresenceSource,
  SleepDisplay,
  SleepInput,
  SleepOutput,
  SleepSet,
  SleepSettings,
  SleepView,
  StoredSleep,
} from '#machines/auto-sleep/events.ts';
import { followSleep } from '#machines/auto-sleep/follow.ts';
import type { ScreenId } from '#machines/screen/events.ts';

export const SECOND = 1000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
/** Noon in Berlin, on a Thursday. */
export const START = Date.UTC(2026, 10, 26, 11);
const berlin = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };
const PARTITION = 'a'.repeat(64);

const plain: SleepSettings = {
  enabled: true,
  source: 'home_assistant',
  touchDelaySeconds: 30,
  offHours: '',
  dimHours: '',
  dimPercent: 20,
  wakeOnAnnouncement: false,
  wakeOnEntity: '',
  stayAwakeDashboard: '',
};
const nothingStored: StoredSleep = { learned: null, darkened: {}, isSuppressed: false, place: berlin };

export const display = (changes: Partial<SleepDisplay> = {}): SleepDisplay => ({
  id: 'screen',
  lit: true,
  level: 200,
  dims: true,
  changed: null,
  ...changes,
});

const noHolds = { announcement: false, calibration: false, ownPages: false, dashboard: false };

export const live = (...states: readonly PresenceSource['state'][]): Feed => ({
  kind: 'live',
  sources: states.map((state, index) => ({ key: String(index).padStart(64, '0'), state })),
});
export const lost: Feed = { kind: 'lost', why: 'home-assistant-away' };

/** What a display is asked for, by whom. */
interface Request {
  readonly on?: boolean;
  readonly brightness?: number;
  readonly by: string;
}

interface Write extends Request {
  readonly screen: ScreenId;
  readonly doneAt: number;
}

export interface Switched {
  readonly screen: ScreenId;
  readonly on: boolean;
  readonly origin: string;
  readonly at: number;
}

export interface PanelOptions {
  readonly settings?: Partial<SleepSettings>;
  readonly displays?: readonly SleepDisplay[];
  readonly stored?: Partial<StoredSleep> | null;
  readonly start?: Moment;
  /** Time for one write. */
  readonly writeMs?: number;
}

/** The decisions with a clock that a test moves on, and displays that do what they are told as a screen does. */
export function panel(options: PanelOptions = {}) {
  const { writeMs = 100, stored = {} } = options;
  const follow = followSleep();
  let moment = options.start ?? { now: START, elapsed: 50_000 };
  let displays: readonly SleepDisplay[] = [];
  let settings: SleepSettings = { ...plain, ...options.settings };
  let holds = noHolds;
  let position = { generation: 1, revision: 0 };
  let writes: readonly Write[] = [];
  let isBroken = false;
  const outputs: (SleepOutput & { readonly when: Moment })[] = [];
  const switches: Switched[] = [];
  const queue: SleepOutput[] = [];
  let isCarrying = false;

  function take(input: SleepInput): void {
    const given = follow.take(input, moment);
    outputs.push(...given.map((output) => ({ ...output, when: moment })));
    queue.push(...given);
    if (isCarrying) return;
    isCarrying = true;
    for (let output = queue.shift(); output !== undefined; output = queue.shift())
      if (output.type === 'sleep.set') obey(output);
    isCarrying = false;
  }
  function obey({ screen, on, brightness, origin }: SleepSet): void {
    if (on !== undefined) switches.push({ screen, on, origin, at: moment.elapsed });
    if (!isBroken) request(screen, { ...(on !== undefined && { on }), ...(brightness && { brightness }), by: origin });
  }
  const show = (next: readonly SleepDisplay[]): void => {
    displays = next;
    take({ type: 'displays', displays });
  };
  const change = (id: ScreenId, changes: Partial<SleepDisplay>): void =>
    show(displays.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  /** As a screen: at once it is on its way, and the cause follows when it is written. */
  function request(screen: ScreenId, asked: Request): void {
    writes = [...writes, { ...asked, screen, doneAt: moment.elapsed + writeMs }];
    change(screen, { lit: asked.on !== false });
    if (writeMs === 0) finish();
  }
  function finish(): void {
    const done = writes.find(({ doneAt }) => doneAt <= moment.elapsed);
    if (done === undefined) return;
    writes = writes.filter((one) => one !== done);
    const { screen, brightness, by } = done;
    const isNewest = writes.every((one) => one.screen !== screen);
    change(screen, {
      ...(isNewest && { lit: done.on !== false }),
      ...(brightness !== undefined && { level: brightness }),
      changed: { by, at: moment.now },
    });
    finish();
  }
  /** Both clocks move on; a tick whenever one is due. */
  function pass(ms: number): void {
    const end = moment.elapsed + ms;
    for (;;) {
      const due = moment.elapsed + Math.max(1, Math.ceil(follow.dueIn(moment)));
      const written = Math.min(Infinity, ...writes.map(({ doneAt }) => doneAt));
      const step = Math.min(due, written, end) - moment.elapsed;
      moment = { now: moment.now + step, elapsed: moment.elapsed + step };
      finish();
      if (moment.elapsed >= due) take({ type: 'tick' });
      if (moment.elapsed >= end) return;
    }
  }
  const feed = (given: Feed, partition = PARTITION): void => {
    position = { ...position, revision: position.revision + 1 };
    take({ type: 'feed', feed: given, position, partition });
  };
  const lit = (id: ScreenId = 'screen') => displays.find((one) => one.id === id)?.lit;
  const one = {
    follow,
    outputs,
    switches,
    take,
    show,
    change,
    pass,
    feed,
    lit,
    moment: () => moment,
    displays: () => displays,
    settings: () => settings,
    set: (changes: Partial<SleepSettings>) => {
      settings = { ...settings, ...changes };
      take({ type: 'settings', settings });
    },
    hold: (changes: Partial<typeof noHolds>) => {
      holds = { ...holds, ...changes };
      take({ type: 'holds', holds });
    },
    /** Other sources begin. */
    begin: () => {
      position = { generation: position.generation + 1, revision: 0 };
    },
    /** Another cause than the arbiter. */
    hand: (by: string, on: boolean, id: ScreenId = 'screen') => request(id, { on, by }),
    level: (by: string, brightness: number, id: ScreenId = 'screen') => request(id, { brightness, by }),
    /** As the panel's input does: dark displays are lit. */
    touch: (isWave = false) => {
      const dark = displays.filter((shown) => shown.lit === false);
      take({ type: 'touched', isWave });
      for (const { id } of dark) request(id, { on: true, by: isWave ? 'wave' : 'touch' });
    },
    setClock: (by: number) => {
      moment = { ...moment, now: moment.now + by };
    },
    /** From now on displays take no orders of the arbiter. */
    breakDisplays: (broken: boolean) => {
      isBroken = broken;
    },
    of: <T extends SleepOutput['type']>(type: T) =>
      outputs.filter((o): o is Extract<SleepOutput, { type: T }> & { readonly when: Moment } => o.type === type),
    view: (): SleepView => {
      const decided = outputs.findLast((o) => o.type === 'sleep.decided');
      if (decided === undefined) throw new Error('nothing was decided');
      return decided.view;
    },
    kept: (): StoredSleep => {
      const keep = outputs.findLast((o) => o.type === 'keep');
      return keep === undefined ? { ...nothingStored, ...stored } : keep.stored;
    },
    /** What was switched since the last call, as `off auto-sleep`. */
    said: (): readonly string[] =>
      switches.splice(0).map(({ screen, on, origin }) => {
        const name = screen === 'screen' ? '' : `${screen} `;
        return `${name}${on ? 'on' : 'off'} ${origin}`;
      }),
  };
  take({ type: 'settings', settings });
  if (stored !== null) take({ type: 'recalled', stored: { ...nothingStored, ...stored } });
  show(options.displays ?? [display()]);
  return one;
}

export type Panel = ReturnType<typeof panel>;

/** A panel in a room with sources, whose lease (10 min) has ended. */
export function asleep(options: PanelOptions = {}): Panel {
  const one = panel(options);
  one.feed(live('off'));
  one.pass(10 * MINUTE + 3 * SECOND);
  one.said();
  return one;
}
