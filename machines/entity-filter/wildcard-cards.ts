/** A part of a dashboard's configuration: the keys of one object. */
export type Part = Readonly<Record<string, unknown>>;

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);

const always = (): boolean => true;
const withoutList = ({ entities }: Part): boolean => !isFilled(entities);

/**
 * Cards that go through all entities, by kind, and whether one with these options does. `entity-filter`, `area`,
 * `toggle-group` and `logbook` are not among them: what they show is listed, or follows from the registries; nor are
 * `updates`, which shows a domain of every set, `repairs` and `discovered-devices`, which show none. Read in the
 * frontend (20261028) and in the cards' own manuals. A card that is not here is found by what its code does
 * (`enumerating-code`).
 */
const enumerating: ReadonlyMap<string, (part: Part) => boolean> = new Map([
  // Places that come and go, by attributes that no registry has.
  ['map', ({ geo_location_sources: from, show_all: all }: Part) => isFilled(from) || all === true],
  ['home-summary', always],
  ['custom:auto-entities', always],
  ['custom:monster-card', always],
  ['custom:search-card', always],
  ['custom:status-card', always],
  // Its rows are found by a pattern, unless they are a list.
  ['custom:flex-table-card', withoutList],
  // Without a list, or with a filter beside it, it looks for batteries.
  [
    'custom:battery-state-card',
    (part: Part) => withoutList(part) || (isPart(part['filter']) && isFilled(part['filter']['include'])),
  ],
  // Without a list they look for speakers.
  ['custom:sonos-card', withoutList],
  ['custom:maxi-media-player', withoutList],
]);

/** Whether a card of this kind and with these options shows what it finds among all entities. */
export const enumerates = (kind: string, part: Part): boolean => enumerating.get(kind)?.(part) ?? false;

/** Whether a card of this kind shows what the preferences of the energy dashboard name. */
export const isEnergy = (kind: string): boolean => /^(?:(?:custom:)?energy|power|gas|water)-/.test(kind);

/** The domain of which a card of this kind may show any entity, as `shopping-list` does of its lists; null for none. */
export const domainOf = (kind: string): string | null => (kind === 'shopping-list' ? 'todo' : null);
