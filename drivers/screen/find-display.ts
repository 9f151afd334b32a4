import type { Result } from '#machines/kit/result.ts';
import type {
  AssignedDisplay,
  Choice,
  DisplayReading,
  Distrust,
  Offer,
  RouteFinding,
  RouteName,
  RouteRefusalAnswer,
  RouteStep,
  RouteTrust,
  TargetSign,
} from '#machines/screen/events.ts';

import type { DisplayRoute, RouteReading, RouteRefusal, RouteTarget } from './route.ts';

/** Decisions about what was found: pure functions of the machine. */
export interface DisplayDecisions {
  readonly assignDisplays: (connected: readonly string[], targets: readonly TargetSign[]) => readonly AssignedDisplay[];
  readonly chooseRoutes: (offers: readonly Offer[], distrusted: readonly Distrust[], before: Choice | null) => Choice;
  readonly needsSlowRoutes: (displays: readonly (readonly Offer[])[], distrusted: readonly Distrust[]) => boolean;
  /** Which routes are trusted, and what to do if one fails. */
  readonly routeTrust: {
    readonly untried: RouteTrust;
    readonly followRoutes: (trust: RouteTrust, finding: RouteFinding) => RouteStep;
    readonly writeOrder: (choice: Choice, isLighting: boolean) => readonly (keyof Choice)[];
    readonly isHonoured: (powered: boolean | null, reading: DisplayReading) => boolean;
    readonly answerRefusal: (
      part: keyof Choice,
      next: { readonly power: boolean } | null,
      reason: string,
    ) => RouteRefusalAnswer;
  };
}

/** Where to look for displays, and which one to take. */
export interface DisplaySources {
  readonly routes: readonly DisplayRoute[];
  /** Routes that take seconds; used only if the others leave a display without brightness or power. */
  readonly slowRoutes: readonly DisplayRoute[];
  readonly decisions: DisplayDecisions;
  readonly connectors: () => Promise<readonly string[]>;
  /** Number of the display, 1 for the first. */
  readonly slot: number;
}

/** Why each route could not be used, for the evidence. */
export type Refusals = Readonly<
  Partial<Record<RouteName, { readonly reason: RouteRefusal; readonly message: string }>>
>;

/** One display with the routes chosen for it. */
export interface ChosenDisplay {
  readonly name: string;
  readonly choice: Choice;
  readonly brightness: RouteTarget | null;
  readonly power: RouteTarget | null;
  readonly targets: readonly RouteTarget[];
  readonly refusals: Refusals;
  /** Connectors of this machine with a display. */
  readonly connected: readonly string[];
}

export type DisplayScan =
  | { readonly display: ChosenDisplay }
  | { readonly refusals: Refusals; readonly connected: readonly string[] }
  | { readonly noSuchDisplay: true };

async function closeAll(targets: readonly RouteTarget[]): Promise<void> {
  await Promise.all(targets.map(async (target) => target.close?.()));
}

const offersOf = (targets: readonly RouteTarget[]): readonly Offer[] =>
  targets.map(({ route, rawMax, power }) => ({ route, dims: rawMax !== null && rawMax > 0, power }));

/** Scans the routes for one display and chooses among them. Closes the targets that it does not use. */
export async function findDisplay(
  sources: DisplaySources,
  { distrusted, proved }: Pick<RouteTrust, 'distrusted' | 'proved'>,
  signal: AbortSignal,
): Promise<DisplayScan> {
  const { routes, slowRoutes, slot } = sources;
  const { assignDisplays, chooseRoutes, needsSlowRoutes } = sources.decisions;
  const connected = await sources.connectors();
  // Displays beyond the first are known by their connectors; without enough of them no tool need be run.
  if (slot > 1 && (connected.length < 2 || connected.length + 1 < slot)) return { noSuchDisplay: true };
  const refusals: Partial<Record<RouteName, { reason: RouteRefusal; message: string }>> = {};
  let targets: readonly RouteTarget[] = [];
  const ask = async (asked: readonly DisplayRoute[]): Promise<void> => {
    const answers: readonly Result<readonly RouteTarget[], RouteRefusal>[] = await Promise.all(
      asked.map((route) => route.list(signal)),
    );
    answers.forEach((answer, index) => {
      const name = asked[index]?.name;
      if (answer.ok) targets = [...targets, ...answer.value];
      else if (name !== undefined) refusals[name] = { reason: answer.reason, message: answer.message };
    });
  };
  const mine = (): { readonly name: string; readonly targets: readonly RouteTarget[] } | null => {
    const display = assignDisplays(connected, targets)[slot - 1];
    return display === undefined
      ? null
      : {
          name: display.name,
          targets: display.targets.map((index) => targets[index]).filter((target) => target !== undefined),
        };
  };
  await ask(routes);
  const first = mine();
  if (slowRoutes.length > 0 && needsSlowRoutes(first === null ? [] : [offersOf(first.targets)], distrusted))
    await ask(slowRoutes);
  const found = mine();
  await closeAll(targets.filter((target) => found?.targets.includes(target) !== true));
  if (found === null) return slot > 1 ? { noSuchDisplay: true } : { refusals, connected };
  const choice = chooseRoutes(offersOf(found.targets), distrusted, proved?.choice ?? null);
  const target = (route: RouteName | null): RouteTarget | null =>
    found.targets.find((one) => one.route === route) ?? null;
  return {
    display: {
      name: found.name,
      choice,
      brightness: target(choice.brightness),
      power: target(choice.power),
      targets: found.targets,
      refusals,
      connected,
    },
  };
}

export async function closeDisplay(display: ChosenDisplay | null): Promise<void> {
  await closeAll(display?.targets ?? []);
}

/** Combines the readings of both routes; returns the refusal of the first that does not answer. */
export async function readDisplay(
  display: ChosenDisplay,
  signal: AbortSignal,
): Promise<{ readonly reading: RouteReading } | { readonly refused: RouteTarget; readonly reason: RouteRefusal }> {
  const { brightness, power } = display;
  let reading: RouteReading = { raw: null, powered: null };
  for (const target of new Set([power, brightness])) {
    // A monitor that is off does not report its brightness over the cable.
    if (
      target === null ||
      (target === brightness && target !== power && target.route === 'ddc' && reading.powered === false)
    )
      continue;
    // oxlint-disable-next-line no-await-in-loop -- the second read depends on the first
    const answer = await target.read({ raw: target === brightness, powered: target === power }, signal);
    if (!answer.ok) return { refused: target, reason: answer.reason };
    reading = {
      raw: target === brightness ? answer.value.raw : reading.raw,
      powered: target === power ? answer.value.powered : reading.powered,
    };
  }
  return { reading };
}
