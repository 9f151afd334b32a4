import { raw } from 'hono/html';
import { type Child, useContext } from 'hono/jsx';
import type { StatusDocument } from '#machines/status.ts';
import { pageEntry, type PageName } from '../page-table.ts';
import { language, t } from '../strings/t.ts';
import { shownWhile } from './condition.ts';
import { Icon } from './icon.tsx';
import { IconSheet } from './icon-sheet.tsx';
import { Live } from './live.tsx';
import { Navigation } from './navigation.tsx';
import { Kiosk } from './on-device.ts';
import { Bundles, type PageBundle } from './page-bundles.ts';

export interface ShellProps {
  readonly status: StatusDocument;
  readonly page: PageName;
  /** Replaces the title, for a page whose heading depends on its content. */
  readonly heading?: string | undefined;
  /** Referrer policy; `no-referrer` if the page's address contains a code. */
  readonly referrer?: 'same-origin' | 'no-referrer';
  /** Set if the page depends on the profile in use, and must be reloaded for another profile. */
  readonly ofProfile?: true;
  readonly children?: Child;
}

/** The bundle of a page whose scripts draw nothing. */
const nothing: PageBundle = { words: '{}', icons: [] };

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
        <Icon name="mdi:link-off" size={20} />
        <span data-link-word></span>
      </span>
    </sconce-link>
    <Live part="state" status={status} />
    <button type="button" class="button icon-button" data-theme-button hidden aria-label={t('shell.theme')}>
      <Icon name="mdi:circle-half-full" />
    </button>
  </header>
);

/** The only way back on the panel's own screen: its browser has no buttons. */
function WayBack() {
  const place = useContext(Kiosk);
  return place === 'elsewhere' ? null : (
    <a class="button primary way-back" href="/glass?on=glass">
      {t(place === 'over-dashboard' ? 'nav.dashboard' : 'nav.back')}
    </a>
  );
}

/** The notice that the page was drawn for another profile; shown instead of a reload if something was typed. */
const OtherProfile = () => (
  <p class="notice hint" role="status" data-other-profile hidden>
    {t('shell.other_profile')} <a href="">{t('shell.other_profile_load')}</a>
  </p>
);

/** The part of the body that may refer to icons. */
const Body = ({ status, page, ofProfile, heading, children }: ShellProps & { readonly heading: string }) => (
  <>
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
      <h1 class={page === 'status' ? 'unseen' : 'page-title'}>{heading}</h1>
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
  </>
);

/** The markup of a component; components of these pages render synchronously. */
const markupOf = (drawn: { toString(): string }): string => drawn.toString();

/** Markup without end tags where nothing is drawn inside: HTML takes them as closed. */
const closed = (markup: string): string => markup.replace(/><\/(?:circle|ellipse|image|path|rect|stop|use)>/g, '/>');

/** The one shell of every page: header, content, navigation. */
export function Shell(props: ShellProps) {
  const { status, page, referrer = 'same-origin' } = props;
  const version = encodeURIComponent(status.panel.version);
  const {
    title,
    scripts: [first, ...others],
    styles = [],
  } = pageEntry(page);
  const heading = props.heading ?? t(title);
  const { words, icons } = useContext(Bundles)[page] ?? nothing;
  // Rendered before the icon sheet, which precedes it and contains the icons it refers to.
  const body = markupOf(<Body {...props} heading={heading} />);
  return (
    <>
      {raw('<!DOCTYPE html>')}
      <html lang={language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content={referrer} />
          <title>{`${heading} · ${status.panel.name}`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={`/assets/app.css?v=${version}`} />
          {styles.map((name) => (
            <link key={name} rel="stylesheet" href={`/assets/${name}.css?v=${version}`} />
          ))}
          <script type="application/json" id="strings">
            {raw(words)}
          </script>
          <script src={`/assets/${first}.js?v=${version}`}></script>
          {others.map((name) => (
            <script key={name} src={`/assets/${name}.js?v=${version}`} defer></script>
          ))}
        </head>
        <body>
          <IconSheet markup={body} also={icons} />
          {raw(closed(body))}
        </body>
      </html>
    </>
  );
}
