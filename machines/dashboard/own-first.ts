/**
 * Dashboards that a person made before those that come with Home Assistant, such as its map: it wants a hyphen in the
 * path of the former, and no path of the latter has one (2026.11).
 */
export const ownFirst = <D extends { readonly path: string }>(dashboards: readonly D[]): readonly D[] => [
  ...dashboards.filter(({ path }) => path.includes('-')),
  ...dashboards.filter(({ path }) => !path.includes('-')),
];
