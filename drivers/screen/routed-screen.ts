import { setTimeout as pause } from 'node:timers/promises';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type {
  Choice,
  DisplayFacts,
  DisplayReading,
  Distrust,
  ScreenDriver,
  ScreenDriverCommand,
  ScreenFact,
} from '#machines/screen/events.ts';

import {
  type ChosenDisplay,
  closeDisplay,
  type DisplaySources,
  findDisplay,
  readDisplay,
  type Refusals,
} from './find-display.ts';
import type { RouteTarget } from './route.ts';
import { noFurtherDisplay } from './verdicts.ts';

/** What the driver is made of. */
export interface RoutedOptions extends DisplaySources {
  /** What is said where no route reaches a display; `connected` names the connectors with a display on them. */
  readonly judge: (refusals: Refusals, connected: readonly string[]) => Verdict;
  /** What is worth knowing beside a display that was found: what it cannot do, and the one command for it. */
  readonly remark?: (display: DisplayFacts, refusals: Refusals, connected: readonly string[]) => DisplayFacts['remark'];
  /** What else makes a route come or go, such as sessions that begin after the agent; their order says nothing. */
  readonly sessions?: () => Promise<readonly string[]>;
  /** Pause between two looks at which displays and sessions there are; null where nothing can come or go. */
  readonly changesMs: Milliseconds | null;
}

/** Looks at a value that has not arrived yet (hardware that fades, a compositor that takes its time). */
const READ_BACKS = 5;
const QUICK_PAUSE_MS: Milliseconds = 20;
const SLOW_PAUSE_MS: Milliseconds = 250;
/** A route that polls at least this often answers quickly. */
const QUICK_MS: Milliseconds = 1000;

/** Looks in a row that must fail before the route is given up; a tool may be slow once, and a value half written. */
const FAILURES = 3;

type Write = Extract<ScreenDriverCommand, { type: 'display.write' }>;
type Held = ChosenDisplay & { readonly facts: DisplayFacts };

const same = (one: DisplayReading | null, other: DisplayReading): boolean =>
  one?.raw === other.raw && one.powered === other.powered;

/**
 * One display by whichever routes reach it: every write is read back, and a route that does not do what it says gives
 * way to the next.
 */
export const routedScreen = (options: RoutedOptions): ScreenDriver =>
  fromDriver<ScreenDriverCommand, undefined, ScreenFact>(({ send, onEvent, guard, signal }) => {
    let held: Held | null = null;
    let last: DisplayReading | null = null;
    let distrusted: Distrust[] = [];
    let proved: { readonly display: string; readonly choice: Choice } | null = null;
    let surroundings: string | null = null;
    let writes = 0;
    let failures = 0;
    let polling: NodeJS.Timeout | undefined;
    let changing: NodeJS.Timeout | undefined;
    let line: Promise<void> = Promise.resolve();

    const factsOf = (display: ChosenDisplay): DisplayFacts => {
      const { brightness, power, choice } = display;
      const facts: DisplayFacts = {
        name: display.name,
        rawMax: brightness?.rawMax ?? 1,
        rawMin: brightness?.rawMin ?? 1,
        power: power !== null,
        routes: choice,
        answerMs: Math.max(brightness?.answerMs ?? 0, power?.answerMs ?? 0),
      };
      const remark = options.remark?.(facts, display.refusals, display.connected) ?? null;
      return remark === null ? facts : { ...facts, remark };
    };
    // What a route does not say stays as it was: a display that is off still holds its level.
    const complete = (
      facts: DisplayFacts,
      reading: { readonly raw: number | null; readonly powered: boolean | null },
    ): DisplayReading => ({
      raw: reading.raw ?? last?.raw ?? facts.rawMax,
      powered: reading.powered ?? true,
    });
    const release = (): void => {
      clearTimeout(polling);
      void closeDisplay(held);
      held = null;
    };
    const lose = (reason: string): void => {
      if (held === null) return;
      release();
      send({ type: 'display.lost', reason });
    };

    const poll = async (): Promise<void> => {
      const mine = held;
      if (mine === null) return;
      const before = writes;
      const now = await readDisplay(mine, signal);
      // Lost, and perhaps found again, while this look was under way.
      if (signal.aborted || held !== mine) return;
      if ('refused' in now) {
        failures += 1;
        // A monitor that is off may leave its cable; it must stay within reach, or nobody could light it again.
        if (last?.powered !== false && (now.reason === 'gone' || failures >= FAILURES)) {
          lose(now.reason);
          return;
        }
      } else {
        failures = 0;
        const reading = complete(mine.facts, now.reading);
        // A look that a write overtook shows the old value.
        if (before === writes && !same(last, reading)) {
          last = reading;
          send({ type: 'display.observed', reading, at: Date.now() });
        }
      }
      later();
    };
    const later = (): void => {
      // A look that was asked for may have overtaken one that was due: there is one turn to come, whoever of the two is
      // last.
      clearTimeout(polling);
      const pauses = [held?.brightness?.pollMs, held?.power?.pollMs].filter((ms) => typeof ms === 'number');
      if (!signal.aborted && pauses.length > 0) polling = setTimeout(guard(poll), Math.min(...pauses));
    };

    /** Chooses anew; true when a display is held afterwards. */
    const take = async (): Promise<
      { readonly missing: Verdict } | { readonly reading: DisplayReading; readonly facts: DisplayFacts }
    > => {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- each turn distrusts one route more, so there are few
        const found = await findDisplay(options, distrusted, proved?.choice ?? null, signal);
        if ('noSuchDisplay' in found) return { missing: noFurtherDisplay };
        if ('refusals' in found) return { missing: options.judge(found.refusals, found.connected) };
        const { display } = found;
        if (display.brightness === null && display.power === null) {
          void closeDisplay(display);
          return { missing: options.judge(display.refusals, display.connected) };
        }
        // oxlint-disable-next-line no-await-in-loop -- as above
        const now = await readDisplay(display, signal);
        if (!('refused' in now)) {
          const facts = factsOf(display);
          held = { ...display, facts };
          last = complete(facts, now.reading);
          return { reading: last, facts };
        }
        void closeDisplay(display);
        if (signal.aborted) return { missing: options.judge(display.refusals, display.connected) };
        distrusted = [
          ...distrusted,
          { route: now.refused.route, part: 'power' },
          { route: now.refused.route, part: 'brightness' },
        ];
      }
    };
    const look = async (): Promise<void> => {
      if (held !== null) return;
      const taken = await take();
      if (signal.aborted) {
        release();
        return;
      }
      if ('missing' in taken) {
        // Nothing was any good this time; the next look tries them all again.
        distrusted = [];
        send({ type: 'display.missing', verdict: taken.missing });
        return;
      }
      send({ type: 'display.found', display: taken.facts, reading: taken.reading, at: Date.now() });
      later();
    };

    /** A route did not do what it said: the next one is taken, and the machine is told to plan anew. */
    const giveWay = async (
      target: RouteTarget,
      part: Distrust['part'],
      generation: number,
      reason: string,
    ): Promise<void> => {
      const name = held?.name;
      distrusted = [...distrusted, { route: target.route, part }];
      if (proved?.display === name) proved = null;
      release();
      const taken = await take();
      if (signal.aborted) return;
      if ('missing' in taken) {
        send({ type: 'display.refused', generation, reason });
        send({ type: 'display.lost', reason });
        return;
      }
      if (part === 'power' && !taken.facts.power)
        send({ type: 'display.refused', generation, reason: 'power-not-honoured' });
      else {
        send({ type: 'display.found', display: taken.facts, reading: taken.reading, at: Date.now() });
        send({ type: 'display.refused', generation, reason: 'route-changed' });
      }
      later();
    };

    const readBack = async (
      mine: Held,
      wanted: Write,
    ): Promise<DisplayReading | { readonly refused: RouteTarget; readonly reason: string }> => {
      const quick = [mine.brightness, mine.power].every(
        (target) =>
          target === null || (target.pollMs !== null && target.pollMs < QUICK_MS) || target.route === 'backlight',
      );
      for (let attempt = 1; ; attempt += 1) {
        // oxlint-disable-next-line no-await-in-loop -- this is a wait for the hardware
        const now = await readDisplay(mine, signal);
        if ('refused' in now) {
          // A monitor that is waking up does not answer at once.
          if (now.reason === 'gone' || attempt >= FAILURES || signal.aborted) return now;
          // oxlint-disable-next-line no-await-in-loop -- as above
          await pause(SLOW_PAUSE_MS, undefined, { signal });
          continue;
        }
        const reading = complete(mine.facts, now.reading);
        const switched = wanted.powered === null || mine.power === null || reading.powered === wanted.powered;
        const dimmed = wanted.raw === null || !reading.powered || reading.raw === wanted.raw;
        if ((switched && dimmed) || attempt === READ_BACKS) return reading;
        // oxlint-disable-next-line no-await-in-loop -- as above
        await pause(quick ? QUICK_PAUSE_MS : SLOW_PAUSE_MS, undefined, { signal });
      }
    };

    /**
     * Lighting is tried again before a route is given up: a cable may be busy, a monitor not awake yet, and the wall
     * would stay dark.
     */
    const insist = async (
      target: RouteTarget,
      part: Parameters<RouteTarget['write']>[0],
      tries: number,
    ): Promise<Awaited<ReturnType<RouteTarget['write']>>> => {
      for (let attempt = 1; ; attempt += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one try after another
        const done = await target.write(part, signal);
        if (done.ok || done.reason === 'gone' || attempt >= tries || signal.aborted) return done;
        // oxlint-disable-next-line no-await-in-loop -- as above
        await pause(SLOW_PAUSE_MS, undefined, { signal });
      }
    };

    const write = async (command: Write): Promise<void> => {
      const { generation, raw } = command;
      const mine = held;
      if (mine === null) {
        send({ type: 'display.refused', generation, reason: 'no-display' });
        return;
      }
      const powered = mine.power === null ? null : command.powered;
      writes += 1;
      try {
        // Brightness first: a screen that lights up at its old level would flash. A monitor that sleeps takes none over
        // its cable.
        const lighting = powered === true;
        const asleep = lighting && mine.brightness !== mine.power && mine.brightness?.route === 'ddc';
        for (const target of new Set(asleep ? [mine.power, mine.brightness] : [mine.brightness, mine.power])) {
          const part = {
            raw: target === mine.brightness ? raw : null,
            powered: target === mine.power ? powered : null,
          };
          if (target === null || (part.raw === null && part.powered === null)) continue;
          // oxlint-disable-next-line no-await-in-loop -- one after the other on purpose
          const done = await insist(target, part, lighting ? FAILURES : 1);
          if (signal.aborted) return;
          if (done.ok) continue;
          if (done.reason === 'gone') lose(done.reason);
          // oxlint-disable-next-line no-await-in-loop -- ends the loop
          else await giveWay(target, part.powered !== null ? 'power' : 'brightness', generation, done.reason);
          return;
        }
        const at = Date.now();
        const reading = await readBack(mine, command);
        if (signal.aborted) return;
        if ('refused' in reading) {
          if (reading.reason === 'gone') lose(reading.reason);
          else send({ type: 'display.refused', generation, reason: reading.reason });
          return;
        }
        if (powered !== null && mine.power !== null && reading.powered !== powered) {
          await giveWay(mine.power, 'power', generation, 'power-not-honoured');
          return;
        }
        last = reading;
        send({ type: 'display.written', generation, reading, at });
      } finally {
        writes += 1;
      }
    };

    // One at a time: two writes that overlap would read back each other's values.
    const inLine = (work: () => Promise<void>): Promise<void> => {
      const turn = line
        .then(() => (signal.aborted ? undefined : work()))
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      line = turn.catch(() => {});
      return turn;
    };
    const lookAgain = async (): Promise<void> => {
      const had = held;
      release();
      const taken = await take();
      if (signal.aborted) return;
      if (!('missing' in taken)) {
        send({ type: 'display.found', display: taken.facts, reading: taken.reading, at: Date.now() });
        later();
      } else if (had !== null) send({ type: 'display.lost', reason: 'gone' });
    };
    const around = async (): Promise<string> => {
      const [displays, sessions] = await Promise.all([options.connectors(), options.sessions?.() ?? []]);
      return [...displays, '|', ...sessions].join(' ');
    };
    const watchChanges = async (): Promise<void> => {
      const now = await around();
      const changed = surroundings !== null && surroundings !== now;
      // While it is dark the display stays as it is, see above; the change is noticed once it gives light.
      if (!changed || last?.powered !== false || held === null) {
        surroundings = now;
        if (changed) {
          distrusted = [];
          proved = null;
          await inLine(lookAgain);
        }
      }
      if (!signal.aborted && options.changesMs !== null) changing = setTimeout(guard(watchChanges), options.changesMs);
    };

    const obey = async (command: ScreenDriverCommand): Promise<void> => {
      switch (command.type) {
        case 'display.probe':
          await look();
          break;
        case 'display.write':
          await write(command);
          break;
        case 'display.look': {
          clearTimeout(polling);
          await poll();
          break;
        }
        case 'display.prefer': {
          proved = { display: command.display, choice: command.choice };
          const { brightness, power } = held?.choice ?? command.choice;
          if (
            held?.name === command.display &&
            (brightness !== command.choice.brightness || power !== command.choice.power)
          )
            await lookAgain();
          break;
        }
      }
    };
    onEvent((command) => inLine(() => obey(command)));
    const begin = async (): Promise<void> => {
      surroundings = await around();
      await look();
    };
    return inLine(begin).then(() => {
      if (options.changesMs !== null) guard(watchChanges)();
      return async () => {
        clearTimeout(polling);
        clearTimeout(changing);
        await closeDisplay(held);
      };
    });
  });
