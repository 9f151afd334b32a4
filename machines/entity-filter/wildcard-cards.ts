/** One object of a dashboard's configuration. */
export type Part = Readonly<Record<string, unknown>>;

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);

const always = (): boolean => true;
const withoutList = ({ entities }: Part): boolean => !isFilled(entities);

/**
 * Cards that search all entities, by kind, with a test of their options. Not listed: `entity-filter`, `area`,
 * `toggle-group` and `logbook`, whose entities are named or follow from the registries; `updates`, whose domain is in
 * every set; `repairs` and `discovered-devices`, which show no entities. Read from the frontend (20261028) and from the
 * cards' own manuals. Any other card is found by what its code does (`enumerating-code`).
 */
const enumerating: ReadonlyMap<string, (part: Part) => boolean> = new Map([
  // Selects geolocation events by attributes that no registry has.
  ['map', ({ geo_location_sources: from, show_all: all }: Part) => isFilled(from) || all === true],
  ['home-summary', always],
  ['custom:auto-entities', always],
  ['custom:monster-card', always],
  ['custom:search-card', always],
  ['custom:status-card', always],
  // Finds its rows by a pattern unless they are listed.
  ['custom:flex-table-card', withoutList],
  // Without a list, or with a filter beside it, it searches for batteries.
  [
    'custom:battery-state-card',
    (part: Part) => withoutList(part) || (isPart(part['filter']) && isFilled(part['filter']['include'])),
  ],
  // Without a list these search for speakers.
  ['custom:sonos-card', withoutList],
  ['custom:maxi-media-player', withoutList],
]);

/** True if a card of this kind, with these options, searches all entities. */
export const enumerates = (kind: string, part: Part): boolean => enumerating.get(kind)?.(part) ?? false;

/** True if a card of this kind shows entities from the preferences of the energy dashboard. */
export const isEnergy = (kind: string): boolean => /^(?:(?:custom:)?energy|power|gas|water)-/.test(kind);

/** The domain whose entities a card of this kind may all show, as `shopping-list` does with to-do lists; else null. */
export const domainOf = (kind: string): string | null => (kind === 'shopping-list' ? 'todo' : null);
