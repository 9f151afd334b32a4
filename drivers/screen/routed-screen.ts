import { fromDriver } from '#drivers/kit/from-driver.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type {
  Choice,
  DisplayFacts,
  DisplayReading,
  Distrust,
  ScreenDriver,
  ScreenDriverCommand,
  ScreenFact,
} from '#machines/screen/events.ts';

import { completed, displayFacts } from './display-facts.ts';
import { type ChosenDisplay, closeDisplay, findDisplay, readDisplay } from './find-display.ts';
import type { RouteReading, RouteTarget } from './route.ts';
import type { RoutedOptions } from './routed-options.ts';
import { FAILURES, insist, readBack } from './verified-write.ts';
import { noFurtherDisplay } from './verdicts.ts';

type Write = Extract<ScreenDriverCommand, { type: 'display.write' }>;
type Held = ChosenDisplay & { readonly facts: DisplayFacts };
type Taken = { readonly reading: DisplayReading; readonly facts: DisplayFacts };

const same = (one: DisplayReading | null, other: DisplayReading): boolean =>
  one?.raw === other.raw && one.powered === other.powered;

/**
 * One display by whichever routes reach it: every write is read back, and a route that refuses one, or takes a switch
 * and changes nothing, gives way to the next. A brightness that was not obeyed is reported as it was read back.
 */
export const routedScreen = (options: RoutedOptions): ScreenDriver =>
  fromDriver<ScreenDriverCommand, undefined, ScreenFact>(({ send, onEvent, guard, signal }) => {
    let held: Held | null = null;
    let last: DisplayReading | null = null;
    let distrusted: Distrust[] = [];
    let proved: { readonly display: string; readonly choice: Choice } | null = null;
    let surroundings: string | null = null;
    let writes = 0;
    /** Each write counts when it begins and when it ends. */
    const isWriting = (): boolean => writes % 2 === 1;
    let failures = 0;
    let polling: NodeJS.Timeout | undefined;
    const runInTurn = serial();

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
      // Lost, and perhaps found again, while this reading was under way.
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
        // A reading that a write overtook shows the old value, and one made during a write what that is doing.
        if (before === writes && !isWriting() && !same(last, reading)) {
          last = reading;
          send({ type: 'display.observed', reading, at: Date.now() });
        }
      }
      later();
    };
    const later = (): void => {
      // A poll that was asked for may have overtaken one that was due: one more is to come, whichever of the two is
      // last.
      clearTimeout(polling);
      const pauses = [held?.brightness?.pollMs, held?.power?.pollMs].filter((ms) => typeof ms === 'number');
      if (!signal.aborted && pauses.length > 0) polling = setTimeout(guard(poll), Math.min(...pauses));
    };

    const reportFound = ({ facts, reading }: Taken): void =>
      send({ type: 'display.found', display: facts, reading, at: Date.now() });

    /** Chooses a display and its routes, and holds them; or says what is missing. */
    const take = async (): Promise<Taken | { readonly missing: Verdict }> => {
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
          const facts = displayFacts(display, options.remark);
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
    const probe = async (): Promise<void> => {
      if (held !== null) return;
      const taken = await take();
      if (signal.aborted) {
        release();
        return;
      }
      if ('missing' in taken) {
        // Nothing was any good this time; the next probe tries them all again.
        distrusted = [];
        send({ type: 'display.missing', verdict: taken.missing });
        return;
      }
      reportFound(taken);
      later();
    };

    /** A route did not do what it said: the next one is taken, and the machine plans anew. */
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
        reportFound(taken);
        send({ type: 'display.refused', generation, reason: 'route-changed' });
      }
      later();
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
          const done = await insist(target, part, lighting ? FAILURES : 1, signal);
          if (signal.aborted) return;
          if (done.ok) continue;
          if (done.reason === 'gone') lose(done.reason);
          // oxlint-disable-next-line no-await-in-loop -- ends the loop
          else await giveWay(target, part.powered !== null ? 'power' : 'brightness', generation, done.reason);
          return;
        }
        const at = Date.now();
        const reading = await readBack(mine, command, (read) => complete(mine.facts, read), signal);
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
    const inTurn = async (work: () => Promise<void>): Promise<void> => {
      try {
        await runInTurn(() => (signal.aborted ? undefined : work()));
      } catch (error) {
        // What was cut short by the end is no crash.
        if (!signal.aborted) throw error;
      }
    };
    const chooseAnew = async (): Promise<void> => {
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
      const now = await listSurroundings();
      const changed = surroundings !== null && surroundings !== now;
      // While it is dark the display stays as it is, see above; the change is noticed once it gives light.
      if (!changed || last?.powered !== false || held === null) {
        surroundings = now;
        if (changed) {
          distrusted = [];
          proved = null;
          await inTurn(chooseAnew);
        }
      }
    };

    const carryOut = async (command: ScreenDriverCommand): Promise<void> => {
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
          proved = { display: command.display, choice: command.choice };
          const { brightness, power } = held?.choice ?? command.choice;
          if (
            held?.name === command.display &&
            (brightness !== command.choice.brightness || power !== command.choice.power)
          )
            await chooseAnew();
          break;
        }
      }
    };
    onEvent((command) => inTurn(() => carryOut(command)));
    const begin = async (): Promise<void> => {
      surroundings = await listSurroundings();
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
