import type {
  Choice,
  DisplayReading,
  RouteFinding,
  RouteName,
  RouteRefusalAnswer,
  RouteStep,
  RouteTrust,
} from './events.ts';

/** Consecutive failed readings after which a display counts as lost. */
const FAILED_READINGS = 3;

/** The trust before any route was tried. */
export const untried: RouteTrust = { distrusted: [], proved: null, surroundings: null, failedReadings: 0 };

const keep = (trust: RouteTrust): RouteStep => ({ trust, order: 'keep' });

const distrustIn = (trust: RouteTrust, route: RouteName, parts: readonly (keyof Choice)[]): RouteTrust => ({
  ...trust,
  distrusted: [...trust.distrusted, ...parts.map((part) => ({ route, part }))],
});

/** Updates the trust in the routes after a finding of the driver, and says what the driver must do. */
export function followRoutes(trust: RouteTrust, finding: RouteFinding): RouteStep {
  switch (finding.type) {
    case 'route.unread':
      return keep(distrustIn(trust, finding.route, ['power', 'brightness']));
    case 'route.failed': {
      const { route, part, display } = finding;
      const proved = trust.proved?.display === display ? null : trust.proved;
      return keep({ ...distrustIn(trust, route, [part]), proved });
    }
    // The next probe tries them all again.
    case 'routes.exhausted':
      return keep({ ...trust, distrusted: [] });
    case 'routes.preferred': {
      const { display, choice, held } = finding;
      const isOther =
        held?.display === display &&
        (held.choice.brightness !== choice.brightness || held.choice.power !== choice.power);
      return { trust: { ...trust, proved: { display, choice } }, order: isOther ? 'choose' : 'keep' };
    }
    case 'surroundings.listed': {
      const { surroundings, isDark } = finding;
      if (trust.surroundings === null || trust.surroundings === surroundings) return keep({ ...trust, surroundings });
      // A monitor that is off may disappear from its cable; the change is noticed once the display is lit.
      return isDark
        ? keep(trust)
        : { trust: { ...trust, surroundings, distrusted: [], proved: null }, order: 'choose' };
    }
    case 'reading.made':
      return keep({ ...trust, failedReadings: 0 });
    case 'reading.failed': {
      const failedReadings = trust.failedReadings + 1;
      // A dark display must stay within reach, or it could not be lit again.
      const isLost = !finding.isDark && (finding.isGone || failedReadings >= FAILED_READINGS);
      return { trust: { ...trust, failedReadings }, order: isLost ? 'lose' : 'keep' };
    }
  }
}

/**
 * Which part is written first: brightness, since a screen that lights up at its old level would flash. But a sleeping
 * monitor accepts no brightness over its cable (DDC).
 */
export const writeOrder = ({ brightness, power }: Choice, isLighting: boolean): readonly (keyof Choice)[] =>
  isLighting && brightness === 'ddc' && power !== 'ddc' ? ['power', 'brightness'] : ['brightness', 'power'];

/** True if a display obeyed its power switch; `powered` is null if no power was requested. */
export const isHonoured = (powered: boolean | null, reading: DisplayReading): boolean =>
  powered === null || reading.powered === powered;

/**
 * How to answer a write whose route was given up for `reason`; `next` is what the display can do by the replacement
 * route, null if there is none.
 */
export function answerRefusal(
  part: keyof Choice,
  next: { readonly power: boolean } | null,
  reason: string,
): RouteRefusalAnswer {
  if (next === null) return { report: 'lost', reason };
  return part === 'power' && !next.power
    ? { report: null, reason: 'power-not-honoured' }
    : { report: 'found', reason: 'route-changed' };
}

/** All of the above, as handed to the driver. */
export const routeTrust = { untried, followRoutes, writeOrder, isHonoured, answerRefusal } as const;
