import { fromDriver } from '#drivers/kit/from-driver.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import { serial } from '#drivers/kit/serial.ts';
import { ok, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type {
  Choice,
  DisplayFacts,
  DisplayReading,
  RouteFinding,
  ScreenDriver,
  ScreenDriverCommand,
  ScreenFact,
} from '#machines/screen/events.ts';

import { completed, displayFacts, type RemarkOf } from './display-facts.ts';
import { type Faded, fades } from './fade.ts';
import {
  type ChosenDisplay,
  closeDisplay,
  type DisplaySources,
  findDisplay,
  readDisplay,
  type Refusals,
} from './find-display.ts';
import type { RouteReading, RouteRefusal, RouteTarget } from './route.ts';
import { type DisplayPart, FAILURES, readBack, writeWithRetries } from './verified-write.ts';
import { noFurtherDisplay } from './verdicts.ts';

export interface RoutedOptions extends DisplaySources {
  /** The verdict if no route reaches the display; `connected` lists the connectors with a display. */
  readonly judge: (refusals: Refusals, connected: readonly string[]) => Verdict;
  /** What a display that was found cannot do, and the command that helps. */
  readonly remark?: RemarkOf;
  /** Names of what else makes routes come or go, such as sessions that start after the agent; in any order. */
  readonly sessions?: () => Promise<readonly string[]>;
  /** Pause between two checks of displays and sessions; null if neither can change. */
  readonly changesMs: Milliseconds | null;
}

type Write = Extract<ScreenDriverCommand, { type: 'display.write' }>;
type Held = ChosenDisplay & { readonly facts: DisplayFacts };
type Taken = { readonly reading: DisplayReading; readonly facts: DisplayFacts };

const same = (one: DisplayReading | null, other: DisplayReading): boolean =>
  one?.raw === other.raw && one.powered === other.powered;

/**
 * Drives one display through its chosen routes. Every write is read back, and the outcome goes to the decisions, which
 * tell whether the route stays in use. A brightness that was not obeyed is reported as it was read back.
 */
export const routedScreen = (options: RoutedOptions): ScreenDriver =>
  fromDriver<ScreenDriverCommand, undefined, ScreenFact>(({ send, onEvent, guard, signal }) => {
    let held: Held | null = null;
    let last: DisplayReading | null = null;
    const { untried, followRoutes, writeOrder, isHonoured, answerRefusal } = options.decisions.routeTrust;
    let trust = untried;
    let writes = 0;
    /** `writes` is incremented when a write begins and again when it ends. */
    const isWriting = (): boolean => writes % 2 === 1;
    let polling: NodeJS.Timeout | undefined;
    const runInTurn = serial();
    const fading = fades(signal);

    /** Records a finding about the routes; returns what to do about it. */
    const follow = (finding: RouteFinding) => {
      const step = followRoutes(trust, finding);
      trust = step.trust;
      return step.order;
    };
    const isDark = (): boolean => held !== null && last?.powered === false;

    const complete = (facts: DisplayFacts, reading: RouteReading): DisplayReading => completed(reading, last, facts);
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
      // The display was lost, and perhaps found again, during this reading.
      if (signal.aborted || held !== mine) return;
      if ('refused' in now) {
        const order = follow({ type: 'reading.failed', isGone: now.reason === 'gone', isDark: isDark() });
        if (order === 'lose') {
          lose(now.reason);
          return;
        }
      } else {
        follow({ type: 'reading.made' });
        const reading = complete(mine.facts, now.reading);
        // A reading that a write has overtaken shows the old value; one made during a write shows a value in
        // transition.
        if (before === writes && !isWriting() && !same(last, reading)) {
          last = reading;
          send({ type: 'display.observed', reading, at: Date.now() });
        }
      }
      later();
    };
    const later = (): void => {
      // A requested poll may have overtaken a scheduled one; whichever ends last schedules exactly one more.
      clearTimeout(polling);
      const pauses = [held?.brightness?.pollMs, held?.power?.pollMs].filter((ms) => typeof ms === 'number');
      if (!signal.aborted && pauses.length > 0) polling = setTimeout(guard(poll), Math.min(...pauses));
    };

    const reportFound = ({ facts, reading }: Taken): void =>
      send({ type: 'display.found', display: facts, reading, at: Date.now() });

    /** Chooses a display and its routes and keeps them open, or returns the verdict on what is missing. */
    const take = async (): Promise<Taken | { readonly missing: Verdict }> => {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- each turn distrusts one more route, so there are few
        const found = await findDisplay(options, trust, signal);
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
          const facts = displayFacts(display, options.remark);
          held = { ...display, facts };
          last = complete(facts, now.reading);
          return { reading: last, facts };
        }
        void closeDisplay(display);
        if (signal.aborted) return { missing: options.judge(display.refusals, display.connected) };
        follow({ type: 'route.unread', route: now.refused.route });
      }
    };
    const probe = async (): Promise<void> => {
      if (held !== null) return;
      const taken = await take();
      if (signal.aborted) {
        release();
        return;
      }
      if ('missing' in taken) {
        follow({ type: 'routes.exhausted' });
        send({ type: 'display.missing', verdict: taken.missing });
        return;
      }
      reportFound(taken);
      later();
    };

    /** Handles a route that did not do what it reported: takes the next one and lets the machine plan again. */
    const giveWay = async (
      target: RouteTarget,
      part: keyof Choice,
      generation: number,
      reason: string,
    ): Promise<void> => {
      follow({ type: 'route.failed', route: target.route, part, display: held?.name });
      release();
      const taken = await take();
      if (signal.aborted) return;
      const next = 'missing' in taken ? null : taken;
      const answer = answerRefusal(part, next?.facts ?? null, reason);
      if (next !== null && answer.report === 'found') reportFound(next);
      send({ type: 'display.refused', generation, reason: answer.reason });
      if (answer.report === 'lost') send({ type: 'display.lost', reason });
      else later();
    };

    const answerUnread = (generation: number, reason: string): void => {
      if (reason === 'gone') lose(reason);
      else send({ type: 'display.refused', generation, reason });
    };

    /** True if the write must not light the display and it is dark, or cannot be read; this is the answer then. */
    const isLeftDark = async (mine: Held, { generation, onlyAbove }: Write): Promise<boolean> => {
      if (onlyAbove === undefined) return false;
      const now = await readDisplay(mine, signal);
      if (signal.aborted) return true;
      if ('refused' in now) {
        answerUnread(generation, now.reason);
        return true;
      }
      const reading = complete(mine.facts, now.reading);
      if (reading.powered && reading.raw > onlyAbove) return false;
      last = reading;
      send({ type: 'display.written', generation, reading, at: Date.now() });
      return true;
    };

    /** Writes one route's part of a command; the result of a fade if it was one. */
    const writePart = async (
      target: RouteTarget,
      part: DisplayPart,
      { generation, fadeMs, powered }: Write,
    ): Promise<Result<Faded | null, RouteRefusal>> => {
      const { requested } = target;
      if (fadeMs !== undefined && part.raw !== null && requested !== undefined)
        return fading.run({ write: target.write, requested }, { generation, to: part.raw, fadeMs });
      const done = await writeWithRetries(target, part, powered === true ? FAILURES : 1, signal);
      return done.ok ? ok(null) : done;
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
        if (await isLeftDark(mine, command)) return;
        let faded: Faded | null = null;
        for (const target of new Set(writeOrder(mine.choice, powered === true).map((part) => mine[part]))) {
          const part = {
            raw: target === mine.brightness ? raw : null,
            powered: target === mine.power ? powered : null,
          };
          if (target === null || (part.raw === null && part.powered === null)) continue;
          // oxlint-disable-next-line no-await-in-loop -- the order matters
          const done = await writePart(target, part, { ...command, powered });
          // Lost by a poll meanwhile: that is the answer.
          if (signal.aborted || held !== mine) return;
          if (done.ok) {
            faded = done.value ?? faded;
            continue;
          }
          if (done.reason === 'gone') lose(done.reason);
          // oxlint-disable-next-line no-await-in-loop -- ends the loop
          else await giveWay(target, part.powered !== null ? 'power' : 'brightness', generation, done.reason);
          return;
        }
        const at = Date.now();
        // A change by another program is left to the next poll, so that it is not taken for this write.
        const reading = faded?.isOvertaken
          ? { raw: faded.raw, powered: true }
          : await readBack(mine, { ...command, raw: faded?.raw ?? raw }, (read) => complete(mine.facts, read), signal);
        if (signal.aborted) return;
        if ('refused' in reading) {
          answerUnread(generation, reading.reason);
          return;
        }
        if (mine.power !== null && !isHonoured(powered, reading)) {
          await giveWay(mine.power, 'power', generation, 'power-not-honoured');
          return;
        }
        last = reading;
        send({ type: 'display.written', generation, reading, at });
      } finally {
        writes += 1;
      }
    };

    // One at a time: overlapping writes would read back each other's values.
    const inTurn = async (work: () => Promise<void>): Promise<void> => {
      try {
        await runInTurn(() => (signal.aborted ? undefined : work()));
      } catch (error) {
        // An error caused by the shutdown is not a crash.
        if (!signal.aborted) throw error;
      }
    };
    const chooseAgain = async (): Promise<void> => {
      const had = held;
      release();
      const taken = await take();
      if (signal.aborted) return;
      if (!('missing' in taken)) {
        reportFound(taken);
        later();
      } else if (had !== null) send({ type: 'display.lost', reason: 'gone' });
    };
    const listSurroundings = async (): Promise<string> => {
      const [displays, sessions] = await Promise.all([options.connectors(), options.sessions?.() ?? []]);
      return [...displays, '|', ...sessions].join(' ');
    };
    const noticeChanges = async (): Promise<void> => {
      const surroundings = await listSurroundings();
      if (follow({ type: 'surroundings.listed', surroundings, isDark: isDark() }) === 'choose')
        await inTurn(chooseAgain);
    };

    const carryOut = async (command: Exclude<ScreenDriverCommand, { type: 'display.cut' }>): Promise<void> => {
      switch (command.type) {
        case 'display.probe':
          await probe();
          break;
        case 'display.write':
          await write(command);
          break;
        case 'display.read': {
          clearTimeout(polling);
          await poll();
          break;
        }
        case 'display.prefer': {
          const { display, choice } = command;
          const used = held && { display: held.name, choice: held.choice };
          if (follow({ type: 'routes.preferred', display, choice, held: used }) === 'choose') await chooseAgain();
          break;
        }
      }
    };
    onEvent((command) => {
      if (command.type !== 'display.cut') return inTurn(() => carryOut(command));
      // At once: it ends what the others wait for.
      fading.cut(command.generation);
      return undefined;
    });
    const begin = async (): Promise<void> => {
      follow({ type: 'surroundings.listed', surroundings: await listSurroundings(), isDark: false });
      await probe();
    };
    return inTurn(begin).then(() => {
      const { changesMs } = options;
      const changes =
        changesMs === null ? null : rounds({ guard, signal }, () => noticeChanges().then(() => changesMs));
      changes?.now();
      return async () => {
        clearTimeout(polling);
        void changes?.stop();
        await closeDisplay(held);
      };
    });
  });
