import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t, type StringKey } from '../strings/t.ts';
import { type Condition, shownWhile } from './condition.ts';
import { Icon } from './icon.tsx';

/** The pages that exist; the navigation shows no others. */
export type PageName =
  | 'status'
  | 'configure'
  | 'simulator'
  | 'more'
  | 'api'
  | 'logs'
  | 'history'
  | 'inspector'
  | 'snippets'
  | 'sign-in'
  | 'setup'
  | 'profiles'
  | 'proximity'
  | 'entities'
  | 'parts'
  | 'about'
  | 'reset';

/** A page as the navigation shows it. */
export interface NavigationItem {
  readonly page: PageName;
  readonly href: string;
  readonly icon: IconName;
  readonly label: StringKey;
  /** What must hold of the panel for the page to exist; it always does without. */
  readonly exists?: Condition;
}

const navigation: readonly NavigationItem[] = [
  { page: 'status', href: '/', icon: 'home-outline', label: 'nav.status' },
  { page: 'simulator', href: '/simulator', icon: 'tablet', label: 'nav.simulator', exists: 'simulated' },
  { page: 'configure', href: '/configure', icon: 'tune', label: 'nav.configure' },
  { page: 'logs', href: '/logs', icon: 'text', label: 'nav.logs' },
  { page: 'more', href: '/more', icon: 'dots-horizontal', label: 'nav.more' },
];

/** A page under More, with a few words on what it is for: with its title they stand in one row of a phone. */
export interface MoreItem extends NavigationItem {
  readonly help: StringKey;
  /** Present where the page is there only while the agent runs with `--inspect`. */
  readonly inspecting?: true;
}

/** Pages that are reached from the page "More", which stands for them in the navigation: five places fit on a phone. */
export const morePages: readonly MoreItem[] = [
  { page: 'profiles', href: '/profiles', icon: 'file-cog-outline', label: 'page.profiles', help: 'more.profiles' },
  { page: 'entities', href: '/entities', icon: 'filter-outline', label: 'page.entities', help: 'more.entities' },
  { page: 'history', href: '/history', icon: 'history', label: 'page.history', help: 'more.history' },
  { page: 'snippets', href: '/snippets', icon: 'home-assistant', label: 'page.snippets', help: 'more.snippets' },
  {
    page: 'proximity',
    href: '/proximity-setup',
    icon: 'signal-distance-variant',
    label: 'page.proximity',
    help: 'more.proximity',
  },
  { page: 'api', href: '/api', icon: 'api', label: 'page.api', help: 'more.api' },
  { page: 'parts', href: '/parts', icon: 'sitemap-outline', label: 'more.parts_title', help: 'more.parts' },
  {
    page: 'inspector',
    href: '/inspector',
    icon: 'magnify',
    label: 'page.inspector',
    help: 'more.inspector',
    inspecting: true,
  },
  { page: 'reset', href: '/setup/reset', icon: 'restart', label: 'page.reset', help: 'more.reset' },
  { page: 'about', href: '/about', icon: 'information-outline', label: 'page.about', help: 'more.about' },
];

/** The item that stands for a page of which the navigation has none; a page that does not exist belongs to none. */
const placeOf = (page: PageName | null): PageName | null => {
  if (page === 'setup' || page === 'sign-in') return 'status';
  return morePages.some((other) => other.page === page) ? 'more' : null;
};

/** How an item of the navigation says that its page, or one of those it stands for, is open. */
const currentOf = (item: PageName, page: PageName | null): { readonly 'aria-current'?: 'page' | 'true' } => {
  if (item === page) return { 'aria-current': 'page' };
  return item === placeOf(page) ? { 'aria-current': 'true' } : {};
};

/** The way to every page: five places, of which one stands for the rest. */
export const Navigation = ({ page, status }: { readonly page: PageName | null; readonly status: StatusDocument }) => (
  <nav class="nav" aria-label={t('nav.label')}>
    <ul>
      {navigation.map((item) => (
        <li key={item.page} {...shownWhile(item.exists, status)}>
          <a href={item.href} {...currentOf(item.page, page)}>
            <span class="nav-pill">
              <Icon name={item.icon} />
            </span>
            <span class="nav-word">{t(item.label)}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
