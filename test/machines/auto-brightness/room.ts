import type {
  DisplayView,
  Moment,
  RoomFact,
  RoomInputOf,
  RoomOutput,
  RoomView,
} from '#machines/auto-brightness/events.ts';
import type { Fit } from '#machines/auto-brightness/fit.ts';
import { followRoom } from '#machines/auto-brightness/follow.ts';

export const plain = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 };
export const START = Date.UTC(2026, 10, 26, 12);

export const display = (changes: Partial<DisplayView> = {}): DisplayView => ({
  id: 'screen',
  route: 'backlight',
  lit: true,
  level: 255,
  changed: null,
  ...changes,
});

/** A fit that expects the same light at any time. */
export const steadyFit = (log: number, coveredDays = 7): Fit => ({
  madeAt: 0,
  range: null,
  expectedAt: () => ({ log, spread: 0.15, coveredDays }),
});

type Adjust = Extract<RoomFact, { readonly type: 'room.adjust' }>;

/** The decisions with a clock that a test moves on, and displays that do what they are told. */
export function room(start: Moment = { now: START, elapsed: 1000 }) {
  const follow = followRoom();
  let moment = start;
  let displays: readonly DisplayView[] = [];
  const outputs: (RoomOutput & { readonly when: Moment })[] = [];
  const take = (input: RoomInputOf<Fit>): void => {
    const given = follow.take(input, moment);
    outputs.push(...given.map((output) => ({ ...output, when: moment })));
    for (const output of given) if (output.type === 'room.adjust') obey(output);
  };
  /** As a screen does: dark, it only keeps the level for later. */
  const obey = ({ screen, level }: Adjust): void => {
    change(screen, { level, changed: { by: 'auto-brightness', at: moment.now } });
  };
  function change(id: DisplayView['id'], changes: Partial<DisplayView>): void {
    displays = displays.map((one) => (one.id === id ? { ...one, ...changes } : one));
    take({ type: 'displays', displays });
  }
  return {
    outputs,
    take,
    change,
    follow,
    show: (next: readonly DisplayView[]) => {
      displays = next;
      take({ type: 'displays', displays });
    },
    moment: () => moment,
    displays: () => displays,
    /** A person's hand, or another cause. */
    set: (by: string, level: number, id: DisplayView['id'] = 'screen') =>
      change(id, { level, lit: true, changed: { by, at: moment.now } }),
    /** Both clocks move on; a tick whenever one is due. */
    pass: (ms: number) => {
      const end = moment.elapsed + ms;
      for (;;) {
        const due = moment.elapsed + Math.max(1, Math.ceil(follow.dueIn(moment)));
        const step = Math.min(due, end) - moment.elapsed;
        moment = { now: moment.now + step, elapsed: moment.elapsed + step };
        if (due > end) return;
        take({ type: 'tick' });
      }
    },
    setClock: (by: number) => {
      moment = { ...moment, now: moment.now + by };
    },
    of: <T extends RoomOutput['type']>(type: T) =>
      outputs.filter((one): one is Extract<RoomOutput, { type: T }> & { readonly when: Moment } => one.type === type),
    view: (): RoomView => {
      const decided = outputs.findLast((one) => one.type === 'room.decided');
      if (decided === undefined) throw new Error('nothing was decided');
      return decided.view;
    },
  };
}

/** A room with one display and the panel's sensor, in which `lux` was measured for a second. */
export function litRoom(lux: number, displays: readonly DisplayView[] = [display()]) {
  const one = room();
  one.take({ type: 'settings', settings: plain });
  one.show(displays);
  one.take({ type: 'source', kind: 'panel', revision: 1 });
  one.take({ type: 'sample', lux });
  one.pass(1000);
  return one;
}
