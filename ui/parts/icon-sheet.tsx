import { eachCard } from '../cards.ts';
import { type IconName, icons } from '../icons.ts';
import type { Card } from './card.ts';
import type { PageName } from '../page-table.ts';

const panelPages: readonly PageName[] = ['status', 'simulator'];

/** Icons that not every page draws, and the pages that do: what is not needed is not sent. */
const owned: Readonly<Record<string, readonly PageName[]>> = {
  'radiobox-marked': ['simulator'],
  'white-balance-sunny': ['simulator'],
  gauge: ['simulator'],
  'lightbulb-on-outline': panelPages,
  'power-plug-outline': panelPages,
  'signal-distance-variant': ['simulator', 'more'],
  thermometer: ['simulator'],
  'water-percent': ['simulator'],
  zigbee: ['simulator'],
  'tag-outline': [],
  'wrench-outline': [],
  'undo-variant': ['configure', 'profiles', 'history'],
  'eye-outline': ['configure', 'setup'],
  'arrow-right-circle': ['setup'],
  'clock-outline': ['setup'],
  'timer-sand': ['setup'],
  'delete-outline': ['profiles', 'entities'],
  download: ['profiles', 'entities', 'about', 'logs'],
  'alert-octagon': ['logs'],
  pause: ['logs'],
  play: ['logs'],
  'file-plus-outline': ['profiles'],
  'pencil-outline': ['profiles'],
  'file-cog-outline': ['more', 'history'],
  'text-box-outline': ['profiles'],
  'filter-outline': ['more'],
  walk: ['proximity'],
  'hand-wave': ['proximity'],
  'hand-front-right': ['proximity'],
  'bullhorn-outline': ['status', 'history'],
  harddisk: ['history'],
  'information-outline': ['more'],
  'lan-connect': ['history'],
  login: ['history'],
  magnify: ['more'],
  'open-in-new': ['snippets'],
  'sitemap-outline': ['more'],
  'view-dashboard-outline': ['history'],
  refresh: ['status', 'parts'],
  restart: [...panelPages, 'history', 'more'],
  'brightness-5': panelPages,
  'home-assistant': [...panelPages, 'more', 'history', 'configure'],
  api: ['more'],
  history: ['more'],
  power: [...panelPages, 'history'],
  'volume-high': panelPages,
  'volume-off': panelPages,
};

const onCards: readonly string[] = eachCard.flatMap(({ icons: own = [] }: Card): readonly IconName[] => own);

const isDrawn = (name: string, page: PageName): boolean =>
  owned[name] === undefined || owned[name].includes(page) || (page === 'status' && onCards.includes(name));

/** Every icon that `page` may draw, once, for `Icon` to refer to. */
export const IconSheet = ({ page }: { readonly page: PageName }) => (
  <svg class="unseen" aria-hidden="true" width="0" height="0">
    {Object.entries(icons).flatMap(([name, path]) =>
      isDrawn(name, page)
        ? [
            <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
              <path d={path} />
            </symbol>,
          ]
        : [],
    )}
  </svg>
);
