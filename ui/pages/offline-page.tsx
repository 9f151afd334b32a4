import { raw } from 'hono/html';
import { useContext } from 'hono/jsx';
import type { StatusDocument } from '#machines/status.ts';
import { lacksKeyboard } from '../parts/lacks-keyboard.ts';
import { Milestones, type Preparing } from '../parts/milestones.tsx';
import { offlineKey } from '../parts/offline-key.ts';
import { onScreen } from '../parts/on-screen.ts';
import { Kiosk as Place } from '../parts/on-device.ts';
import { type PageByPhone, pathsByPhone } from '../parts/page-by-phone.ts';
import { Sentence } from '../parts/sentence.tsx';
import { language, t, tOr } from '../strings/t.ts';
import { wallClock } from '../strings/wall-clock.ts';

export interface OfflinePageProps {
  readonly status: StatusDocument;
  /** The panel's address for a phone, such as `http://192.168.1.20:8888`; null without a network address. */
  readonly origin: string | null;
  /** True if the page is the way back from the panel's own pages and requests the dashboard. */
  readonly leads: boolean;
  /** Progress of the entity scan that holds the dashboard back; null if none does. */
  readonly preparing?: Preparing | null;
}

type Renderer = NonNullable<StatusDocument['renderer']>;
type Shown = Renderer['glass'];

/** States with their own words; all others are "starting". */
const spoken = (state: Shown | undefined): Exclude<Shown, 'dashboard'> =>
  state === undefined || state === 'dashboard' ? 'starting' : state;

/** An address in unbreakable pieces: lines may break before its port and its path. */
const piecesOf = (link: string): readonly string[] => link.split(/(?=:\d+(?:\/|$))|(?<=[^:/])(?=\/)/);

const LinkByPhone = ({ origin, page }: { readonly origin: string | null; readonly page: PageByPhone }) =>
  origin === null ? (
    <p class="glass-text">{t('offline.no_network')}</p>
  ) : (
    <div class="glass-scan">
      <img
        class="glass-code"
        src={`/api/v1/ha/oauth/qr.svg?page=${page}`}
        alt={t('offline.code')}
        width="192"
        height="192"
      />
      <div class="glass-beside">
        <p class="glass-text">{t(page === 'setup' ? 'offline.scan_setup' : 'offline.scan')}</p>
        <p class="glass-link">
          {piecesOf(origin + pathsByPhone[page]).map((piece) => (
            <span key={piece}>{piece}</span>
          ))}
        </p>
      </div>
    </div>
  );

const Asking = ({
  state,
  origin,
  isDue,
  types,
}: {
  readonly state: 'address' | 'sign-in' | 'refused';
  readonly origin: string | null;
  /** True while the panel is not set up. */
  readonly isDue: boolean;
  /** True if the reader can type on this page. */
  readonly types: boolean;
}) => (
  <>
    <h1 class="glass-title">{t(`offline.title.${state}`)}</h1>
    <p class="glass-text">{t(`offline.text.${state}`)}</p>
    <LinkByPhone origin={origin} page={isDue ? 'setup' : 'sign-in'} />
    <p class="glass-buttons">
      {state === 'address' || !types ? null : (
        <a
          class="glass-button glass-primary"
          href={useContext(Place) === 'elsewhere' ? '/sign-in' : '/api/v1/ha/oauth/panel-start'}
        >
          {t('offline.here')}
        </a>
      )}
      {state === 'address' && types ? (
        <a class="glass-button" href={isDue ? '/setup' : '/configure/home-assistant'}>
          {t('offline.enter')}
        </a>
      ) : (
        <a class="glass-button" href="/">
          {t('offline.pages')}
        </a>
      )}
      {types ? null : <span class="glass-hint">{t('offline.keyboard')}</span>}
    </p>
  </>
);

/**
 * Placeholder for a time in a sentence; the time is a separate element, so that the browser can convert it to the
 * reader's time zone.
 */
const TIME = '\u0000';

function Since({ away, now }: { readonly away: NonNullable<Renderer['away']>; readonly now: number }) {
  const [before, after] = t('offline.since', {
    time: TIME,
    why: tOr(`offline.why.${away.reason}`, t('offline.why.other')),
  }).split(TIME);
  return (
    <p class="glass-text">
      {before}
      <time datetime={new Date(away.since).toISOString()}>{wallClock(language, away.since, now)}</time>
      {after}
    </p>
  );
}

type Presence = StatusDocument['home_presence'];

/** What Home Assistant announced about itself, while that explains its absence. */
function announced(presence: Presence): 'restarting' | 'starting-up' | null {
  if (presence?.state !== 'restarting') return null;
  return presence.evidence.includes('says-starting') ? 'starting-up' : 'restarting';
}

const Away = ({
  away,
  presence,
  now,
}: {
  readonly away: Renderer['away'];
  readonly presence: Presence;
  readonly now: number;
}) => (
  <>
    <h1 class="glass-title">{t(`offline.title.${announced(presence) ?? 'away'}`)}</h1>
    {away === null ? null : <Since away={away} now={now} />}
    <p class="glass-text glass-quiet">{t('offline.text.away')}</p>
  </>
);

const StatusLink = () => (
  <p class="glass-buttons">
    <a class="glass-button glass-primary" href="/">
      {t('offline.status')}
    </a>
  </p>
);

/** Text for a visitor elsewhere while the panel does not show this page. */
const OnScreen = ({ shown }: { readonly shown: 'shown' | 'own_pages' }) => (
  <>
    <h1 class="glass-title">{t(`offline.title.${shown}`)}</h1>
    <p class="glass-text glass-quiet">{t(`offline.text.${shown}`)}</p>
    <StatusLink />
  </>
);

/** `late` is the status sentence about a dashboard that takes long; the script reveals it after a while. */
const Starting = ({ late }: { readonly late: string | null }) => (
  <>
    <h1 class="glass-title">{t('offline.title.starting')}</h1>
    <p class="glass-text glass-quiet">{t('offline.text.starting')}</p>
    {late === null ? null : (
      <div data-late hidden>
        <p class="glass-text">
          <Sentence text={late} />
        </p>
        <StatusLink />
      </div>
    )}
  </>
);

/** Only the first sentence about the dashboard: the page that a phone opens says what to do. */
const firstSentence = (summary: string): string => /^.+?\.(?= |$)/.exec(summary)?.[0] ?? summary;

const Said = ({
  state,
  summary,
  origin,
  isDue,
}: {
  readonly state: 'trouble' | 'off';
  readonly summary: string | null;
  readonly origin: string | null;
  readonly isDue: boolean;
}) => (
  <>
    <h1 class="glass-title">{t(`offline.title.${state}`)}</h1>
    {summary === null ? null : (
      <p class="glass-text">
        <Sentence text={firstSentence(summary)} />
      </p>
    )}
    <LinkByPhone origin={origin} page={isDue ? 'setup' : 'status'} />
  </>
);

function Fails({ fallback, now }: { readonly fallback: Renderer['fallback']; readonly now: number }) {
  const [before, after] = t('offline.text.fails', { time: TIME }).split(TIME);
  return (
    <>
      <h1 class="glass-title">{t('offline.title.fails')}</h1>
      {fallback === null ? null : (
        <>
          <p class="glass-text">{tOr(`offline.fails.${fallback.reason}`, t('offline.fails.other'))}</p>
          <p class="glass-text glass-quiet">
            {before}
            <time datetime={new Date(fallback.retry_at).toISOString()}>
              {wallClock(language, fallback.retry_at, now)}
            </time>
            {after}
          </p>
        </>
      )}
      <p class="glass-buttons">
        <button type="button" class="glass-button glass-primary" data-try-again>
          {t('offline.try_again')}
        </button>
        <a class="glass-button" href="/">
          {t('offline.pages')}
        </a>
      </p>
    </>
  );
}

/** The time on the wall, filled in by the script. A screen reader is not told each minute. */
const Clock = () => <span class="glass-clock" data-clock aria-live="off"></span>;

/** `/glass`: the offline page, shown on the panel itself while it has no dashboard to show. */
export function OfflinePage({ status, origin, leads, preparing = null }: OfflinePageProps) {
  const { renderer } = status;
  const state = spoken(renderer?.glass);
  const version = encodeURIComponent(status.panel.version);
  const { home_presence: presence } = status;
  const isDue = status.setup?.due === true;
  // On the panel itself the page always replaces the dashboard; elsewhere it can be opened at any time.
  const elsewhere = useContext(Place) === 'elsewhere';
  const screen = elsewhere ? onScreen(renderer) : null;
  // It may hang there for a day with nothing to do up close, so that it is a clock above all.
  const isLarge = !elsewhere && (state === 'away' || state === 'fails');
  return (
    <>
      {raw('<!DOCTYPE html>')}
      <html lang={language} data-theme="dark">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="color-scheme" content="dark" />
          <meta name="referrer" content="same-origin" />
          <title>{`${t('page.glass')} · ${status.panel.name}`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={`/assets/glass.css?v=${version}`} />
          <script src={`/assets/glass.js?v=${version}`} defer></script>
        </head>
        <body>
          <main
            class={`glass glass-${screen ?? state}`}
            data-shown={offlineKey(status)}
            data-elsewhere={elsewhere ? (screen ?? '') : undefined}
            data-leads={leads ? '' : undefined}
            data-soon={preparing === null ? undefined : ''}
            aria-live="polite"
          >
            {isLarge ? <Clock /> : null}
            {state === 'address' || state === 'sign-in' || state === 'refused' ? (
              <Asking state={state} origin={origin} isDue={isDue} types={!lacksKeyboard(status)} />
            ) : null}
            {state === 'away' ? <Away away={renderer?.away ?? null} presence={presence} now={status.taken_at} /> : null}
            {screen === null ? null : <OnScreen shown={screen} />}
            {state === 'starting' && screen === null && preparing !== null ? (
              <Milestones preparing={preparing} />
            ) : null}
            {state === 'fails' ? <Fails fallback={renderer?.fallback ?? null} now={status.taken_at} /> : null}
            {state === 'starting' && screen === null && preparing === null ? (
              <Starting late={elsewhere ? (renderer?.summary ?? null) : null} />
            ) : null}
            {state === 'trouble' || state === 'off' ? (
              <Said state={state} summary={renderer?.summary ?? null} origin={origin} isDue={isDue} />
            ) : null}
            <p class="glass-foot">
              <span class="glass-name">{status.panel.name}</span>
              {elsewhere || isLarge ? null : <Clock />}
            </p>
          </main>
        </body>
      </html>
    </>
  );
}
