import { raw } from 'hono/html';
import { type Child, useContext } from 'hono/jsx';
import type { StatusDocument } from '#machines/status.ts';
import { eachCard } from '../cards.ts';
import type { IconName } from '../icons.ts';
import { catalogue } from '#ui/strings/catalogue.ts';
import { language, t, type StringKey } from '../strings/t.ts';
import type { Card } from './card.ts';
import { type Condition, shownWhile } from './condition.ts';
import { Icon } from './icon.tsx';
import { IconSheet } from './icon-sheet.tsx';
import { Live } from './live.tsx';
import { Glass } from './on-glass.ts';

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

/** How an item of the navigation says that its page, or one of those it stands for, is open. */
const currentOf = (item: PageName, page: PageName | null): { readonly 'aria-current'?: 'page' | 'true' } => {
  if (item === page) return { 'aria-current': 'page' };
  return item === 'more' && morePages.some((other) => other.page === page) ? { 'aria-current': 'true' } : {};
};

/** What every page brings to the shell. */
export interface ShellProps {
  readonly status: StatusDocument;
  /** Null on a page that the navigation does not lead to. */
  readonly page: PageName | null;
  readonly title: StringKey;
  /** Styles and scripts of its own beside those of every page, by the names of their assets. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** What the page tells others of where it was opened; `no-referrer` where its address holds a code. */
  readonly referrer?: 'same-origin' | 'no-referrer';
  /** Present where the page is drawn for the profile in use, so that another profile makes it another page. */
  readonly ofProfile?: true;
  readonly children?: Child;
}

const familiesOf = (card: Card): readonly string[] =>
  card.strings ?? ('title' in card ? [card.title.split('.')[0] ?? ''] : []);

/** What stands around the live part of a card is drawn by the server alone. */
const aroundCards: ReadonlySet<string> = new Set(
  eachCard.flatMap((card: Card) => ('title' in card ? [card.title] : [])),
);

/** Families of strings that only the server or one other page draws; everything else goes to the browser. */
const serverFamilies = ['missing', 'nav', 'page', 'more', 'snippets', 'sign', 'glass', 'happened', 'product'];
const pageFamilies: Readonly<Record<string, readonly PageName[]>> = {
  ...Object.fromEntries(eachCard.flatMap((card) => familiesOf(card).map((family) => [family, ['status'] as const]))),
  form: ['configure', 'setup'],
  storage: ['configure'],
  setup: ['setup'],
  sim: ['simulator'],
  proximity: ['proximity'],
  reset: ['reset'],
  entities: ['entities'],
  api: ['api'],
  profiles: ['profiles'],
  logs: ['logs'],
  signing: ['sign-in', 'setup'],
  inspector: ['inspector'],
  drawing: ['status', 'simulator'],
  tree: ['status', 'inspector', 'parts'],
  part: ['parts'],
  shot: ['status'],
  history: ['status', 'history'],
};

/** Keys of the links that the card of the page `/` alone draws in the browser. */
const cardKeys = /^links\.(?:home_assistant|entities|due|refused)$/;

/** Keys of a family that goes to the browser which only the server draws. */
const serverKeys =
  /^(?:capabilities\.check|engine\.(?:title|phase\..*)|tree\.title|controls\.(?:cancel|by\..*|reboot_(?:title|text|simulated|yes))|history\.(?:intro|about\..*|filter|nothing|newer|older|pages|today|yesterday|often|shown_there|more_settings)|shell\.(?:skip|other_profile|other_profile_load|not_live_help|simulated|simulated_help|no_script|footer)|inspector\.legend(?:\..*)?|form\.(?:group\..*|intro|find|example|advanced|sections|restart|secret_clear|secret_old_.*|secret_show|expose|expose_label|readings|readings_help|save|discard|bar|broker|empty)|storage\.(?:title|help|clear|question|goes|stays|loads|yes)|entities\.(?:paging|page|previous|next|list|search|show|bar|learning|issues_more|filter(?:\..*)?|decide\..*))$/;

/** Pages that bring all their scripts in one file of their own. */
const ownScripts: readonly PageName[] = [
  'status',
  'configure',
  'simulator',
  'inspector',
  'logs',
  'sign-in',
  'setup',
  'profiles',
  'proximity',
  'entities',
  'reset',
];

/** Keys of a family that pages of others use too. */
const shared: readonly string[] = [
  'controls.failed',
  'controls.on',
  'controls.off',
  'capabilities.checking',
  'capabilities.checked',
];

const stringsOf = (page: PageName | null): string => {
  const wanted = Object.entries(catalogue).filter(([key]) => {
    const family = key.split('.')[0] ?? '';
    const owners = pageFamilies[family];
    return (
      !serverFamilies.includes(family) &&
      !serverKeys.test(key) &&
      !aroundCards.has(key) &&
      (page === 'status' || !cardKeys.test(key)) &&
      (owners === undefined || (page !== null && owners.includes(page)) || shared.includes(key))
    );
  });
  // Inside a script element only this character could end it.
  return JSON.stringify(Object.fromEntries(wanted)).replace(/</g, '\\u003c');
};

const Header = ({ status }: { readonly status: StatusDocument }) => (
  <header class="header">
    <a class="header-name" href="/">
      <Live part="name" status={status} />
      <span class="badge" title={t('shell.simulated_help')} {...shownWhile('simulated', status)}>
        {t('shell.simulated')}
      </span>
    </a>
    <span class="header-space"></span>
    <sconce-link class="header-link" hidden>
      <span class="cut" role="status" title={t('shell.not_live_help')}>
        <Icon name="link-off" size={20} />
        <span data-link-word></span>
      </span>
    </sconce-link>
    <Live part="state" status={status} />
    <button type="button" class="button icon-button" data-theme-button hidden aria-label={t('shell.theme')}>
      <Icon name="circle-half-full" />
    </button>
  </header>
);

const Navigation = ({ page, status }: { readonly page: PageName | null; readonly status: StatusDocument }) => (
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

/** On the panel's own screen there is no other way back: its browser has no buttons. */
const WayBack = () => {
  const place = useContext(Glass);
  return place === 'elsewhere' ? null : (
    <a class="button primary way-back" href="/glass?on=glass">
      {t(place === 'over-dashboard' ? 'nav.dashboard' : 'nav.back')}
    </a>
  );
};

/** Says that the page is drawn for another profile; shown where something was typed, so that it is not drawn anew. */
const OtherProfile = () => (
  <p class="notice hint" role="status" data-other-profile hidden>
    {t('shell.other_profile')} <a href="">{t('shell.other_profile_load')}</a>
  </p>
);

/** The one shell of every page: header, content, navigation. */
export const Shell = ({
  status,
  page,
  title,
  styles = [],
  scripts = [],
  referrer = 'same-origin',
  ofProfile,
  children,
}: ShellProps) => {
  const version = encodeURIComponent(status.panel.version);
  return (
    <>
      {raw('<!DOCTYPE html>')}
      <html lang={language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content={referrer} />
          <title>{`${t(title)} · ${status.panel.name}`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={`/assets/app.css?v=${version}`} />
          {styles.map((name) => (
            <link key={name} rel="stylesheet" href={`/assets/${name}.css?v=${version}`} />
          ))}
          <script type="application/json" id="strings">
            {raw(stringsOf(page))}
          </script>
          <script src={`/assets/${page !== null && ownScripts.includes(page) ? page : 'app'}.js?v=${version}`}></script>
          {scripts.map((name) => (
            <script key={name} src={`/assets/${name}.js?v=${version}`} defer></script>
          ))}
        </head>
        <body>
          <IconSheet page={page} />
          <a class="skip" href="#content">
            {t('shell.skip')}
          </a>
          <Header status={status} />
          <Navigation page={page} status={status} />
          <main
            id="content"
            class="content"
            tabindex={-1}
            {...(ofProfile === true && { 'data-profile-id': status.panel.profile.id })}
          >
            <WayBack />
            <h1 class={page === 'status' ? 'unseen' : 'page-title'}>{t(title)}</h1>
            <noscript>
              <p class="notice">{t('shell.no_script')}</p>
            </noscript>
            {ofProfile === true ? <OtherProfile /> : null}
            {children}
            <footer class="footer">
              {t('shell.footer', { version: status.panel.version, system: status.panel.system })}
            </footer>
          </main>
          <p class="unseen" role="status" id="announcements"></p>
        </body>
      </html>
    </>
  );
};
