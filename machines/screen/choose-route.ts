import type { Choice, Distrust, Offer, RouteName } from './events.ts';

/**
 * Routes in the order they are tried. The kernel's backlight can be read back reliably; next comes the program that
 * draws the picture; then the monitor itself, whose answers are slow and sometimes wrong; dimming the picture in
 * software is the last resort.
 */
const POWER_ORDER: readonly RouteName[] = ['adb', 'backlight', 'wlopm', 'kscreen', 'xset', 'ddc'];
const BRIGHTNESS_ORDER: readonly RouteName[] = ['adb', 'backlight', 'ddc', 'dimming'];

/** The routes to use: those that worked before if they are still offered, otherwise the first trusted one in order. */
export function chooseRoutes(
  offers: readonly Offer[],
  distrusted: readonly Distrust[] = [],
  before: Choice | null = null,
): Choice {
  const pick = (part: keyof Choice, order: readonly RouteName[]): RouteName | null => {
    const able = (route: RouteName): boolean =>
      offers.some((offer) => offer.route === route && (part === 'power' ? offer.power : offer.dims)) &&
      !distrusted.some((caught) => caught.route === route && caught.part === part);
    const proved = before?.[part] ?? null;
    return proved !== null && able(proved) ? proved : (order.find(able) ?? null);
  };
  return { brightness: pick('brightness', BRIGHTNESS_ORDER), power: pick('power', POWER_ORDER) };
}

/** True if the slow routes must be tried as well: some display has no good way to dim, or none to be switched off. */
export const needsSlowRoutes = (
  displays: readonly (readonly Offer[])[],
  distrusted: readonly Distrust[] = [],
): boolean =>
  displays.length === 0 ||
  displays.some((offers) => {
    const { brightness, power } = chooseRoutes(offers, distrusted);
    return power === null || brightness === null || brightness === 'dimming';
  });
