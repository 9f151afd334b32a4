import type { Choice, Distrust, Offer, RouteName } from './events.ts';

/**
 * The order of trying. The kernel's own backlight is read back for certain; then whoever draws the picture; then the
 * monitor itself, whose answers are slow and sometimes wrong; dimming the picture in software is what is left.
 */
const POWER_ORDER: readonly RouteName[] = ['adb', 'backlight', 'wlopm', 'kscreen', 'xset', 'ddc'];
const BRIGHTNESS_ORDER: readonly RouteName[] = ['adb', 'backlight', 'ddc', 'dimming'];

/** The routes to use: what worked before where it is still offered, else the first of the order that was not caught. */
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

/** Whether the slow routes must be asked as well: some display lacks a good way to dim, or any to be switched off. */
export const needsSlowRoutes = (
  displays: readonly (readonly Offer[])[],
  distrusted: readonly Distrust[] = [],
): boolean =>
  displays.length === 0 ||
  displays.some((offers) => {
    const { brightness, power } = chooseRoutes(offers, distrusted);
    return power === null || brightness === null || brightness === 'dimming';
  });
