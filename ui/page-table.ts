import type { IconName } from './icons.ts';
import type { Condition } from './parts/condition.ts';
import type { StringKey } from './strings/t.ts';

/**
 * Where the navigation shows a page: in its bar, in a row under More, or nowhere, for a page that belongs to another.
 */
type Place =
  | { readonly in: 'bar'; readonly icon: IconName; readonly label: StringKey }
  | {
      readonly in: 'more';
      readonly icon: IconName;
      /** Text of the row, if not the page's title. */
      readonly label?: StringKey;
      /** A few words on what the page is for; with the title they must fit in one row of a phone. */
      readonly help: StringKey;
      /** Present for what only programmers need; those rows come last. */
      readonly forProgrammers?: true;
    }
  | { readonly in: 'status' | 'configure' };

/** A page as the other rooms know it. */
export interface PageEntry {
  /** Absent for the groups of settings, which have a path each, and for the page shown at unknown paths. */
  readonly path?: string;
  readonly title: StringKey;
  /** Names of its scripts, functions in `elements/pages.ts`: the first starts the page, the others are deferred. */
  readonly scripts: readonly [string, ...string[]];
  /** Present if its scripts bring the words: its document is heavy, and browsers keep scripts. */
  readonly bringsWords?: true;
  /** Stylesheets in `styles/` besides `main.css`. */
  readonly styles?: readonly string[];
  readonly place?: Place;
  /** Condition for the page to exist: one of the panel, or that the agent runs with `--inspect`. */
  readonly exists?: Condition | 'inspecting';
}

/** Every page, in navigation order; five places in its bar fit on a phone. */
export const pageTable = {
  status: {
    path: '/',
    title: 'page.status',
    scripts: ['status'],
    bringsWords: true,
    styles: ['drawing', 'status'],
    place: { in: 'bar', icon: 'mdi:home-outline', label: 'nav.status' },
  },
  simulator: {
    path: '/simulator',
    title: 'page.simulator',
    scripts: ['simulator'],
    styles: ['drawing', 'simulator'],
    place: { in: 'bar', icon: 'mdi:tablet', label: 'nav.simulator' },
    exists: 'simulated',
  },
  configure: {
    path: '/configure',
    title: 'page.configure',
    scripts: ['configure'],
    styles: ['configure'],
    place: { in: 'bar', icon: 'mdi:tune', label: 'nav.configure' },
  },
  logs: {
    path: '/logs',
    title: 'page.logs',
    scripts: ['logs'],
    styles: ['logs'],
    place: { in: 'bar', icon: 'mdi:text', label: 'nav.logs' },
  },
  more: {
    path: '/more',
    title: 'page.more',
    scripts: ['app'],
    styles: ['more'],
    place: { in: 'bar', icon: 'mdi:dots-horizontal', label: 'nav.more' },
  },
  profiles: {
    path: '/profiles',
    title: 'page.profiles',
    scripts: ['profiles'],
    styles: ['profiles'],
    place: { in: 'more', icon: 'mdi:file-cog-outline', help: 'more.profiles' },
  },
  entities: {
    path: '/entities',
    title: 'page.entities',
    scripts: ['entities'],
    styles: ['entities'],
    place: { in: 'more', icon: 'mdi:filter-outline', help: 'more.entities' },
  },
  history: {
    path: '/history',
    title: 'page.history',
    scripts: ['app'],
    styles: ['history'],
    place: { in: 'more', icon: 'mdi:history', help: 'more.history' },
  },
  install: {
    path: '/install',
    title: 'page.install',
    scripts: ['install'],
    styles: ['install'],
    place: { in: 'more', icon: 'mdi:harddisk', help: 'more.install' },
  },
  snippets: {
    path: '/snippets',
    title: 'page.snippets',
    scripts: ['app'],
    styles: ['snippets'],
    place: { in: 'more', icon: 'mdi:home-assistant', help: 'more.snippets' },
  },
  proximity: {
    path: '/proximity-setup',
    title: 'page.proximity',
    scripts: ['proximity'],
    styles: ['proximity'],
    place: { in: 'more', icon: 'mdi:signal-distance-variant', help: 'more.proximity' },
  },
  voice: {
    path: '/voice',
    title: 'page.voice',
    scripts: ['voice'],
    styles: ['voice'],
    place: { in: 'status' },
  },
  api: {
    path: '/api',
    title: 'page.api',
    scripts: ['app', 'explorer'],
    styles: ['form', 'explorer'],
    place: { in: 'more', icon: 'mdi:api', help: 'more.api', forProgrammers: true },
  },
  parts: {
    path: '/parts',
    title: 'page.parts',
    scripts: ['parts'],
    styles: ['tree'],
    place: {
      in: 'more',
      icon: 'mdi:sitemap-outline',
      label: 'more.parts_title',
      help: 'more.parts',
      forProgrammers: true,
    },
  },
  inspector: {
    path: '/inspector',
    title: 'page.inspector',
    scripts: ['inspector'],
    styles: ['inspector'],
    place: { in: 'more', icon: 'mdi:magnify', help: 'more.inspector', forProgrammers: true },
    exists: 'inspecting',
  },
  security: {
    path: '/security',
    title: 'page.security',
    scripts: ['security'],
    styles: ['security'],
    place: { in: 'configure' },
  },
  companion: {
    path: '/companion',
    title: 'page.companion',
    scripts: ['companion'],
    styles: ['companion'],
    place: { in: 'configure' },
  },
  reset: {
    path: '/setup/reset',
    title: 'page.reset',
    scripts: ['reset'],
    styles: ['reset'],
    place: { in: 'more', icon: 'mdi:restart', help: 'more.reset' },
  },
  about: {
    path: '/about',
    title: 'page.about',
    scripts: ['about'],
    styles: ['about'],
    place: { in: 'more', icon: 'mdi:information-outline', help: 'more.about' },
  },
  'configure-group': {
    title: 'page.configure',
    scripts: ['configure-group'],
    styles: ['form'],
    place: { in: 'configure' },
  },
  setup: {
    path: '/setup',
    title: 'page.setup',
    scripts: ['setup'],
    styles: ['setup'],
    place: { in: 'status' },
  },
  room: {
    path: '/room',
    title: 'page.room',
    scripts: ['room'],
    styles: ['room'],
    place: { in: 'status' },
  },
  'sign-in': {
    path: '/sign-in',
    title: 'page.sign_in',
    scripts: ['sign-in'],
    styles: ['sign-in'],
    place: { in: 'status' },
  },
  ask: { path: '/ask', title: 'page.ask', scripts: ['ask'], styles: ['ask'] },
  glass: { path: '/glass', title: 'page.glass', scripts: ['glass'], styles: ['glass'] },
  missing: { title: 'page.missing', scripts: ['app'] },
} as const satisfies Readonly<Record<string, PageEntry>>;

export type PageName = keyof typeof pageTable;

export const pageEntry = (page: PageName): PageEntry => pageTable[page];

/** Every page with its name, in table order. */
export const eachPage: readonly (PageEntry & { readonly page: PageName })[] = Object.entries(pageTable).map(
  // The keys of the table are the names.
  ([page, entry]) => ({ page: page as PageName, ...entry }),
);
