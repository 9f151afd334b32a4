import type { EntityRow, ShownIssue, SyncDocument } from '#machines/entity-filter/documents.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { StateWord } from './state-mark.tsx';

/** What a person can do: a button on this page, or a page to open. */
export type EntitiesAction = 'on' | 'activate' | 'sync' | 'sign-in' | 'renderer' | 'status';

/** Why a panel draws no dashboard; null if it does. */
export type Without = 'simulated' | 'switched-off' | null;

export function withoutDashboard({ renderer, panel }: StatusDocument): Without {
  if (renderer?.mode !== 'none') return null;
  return panel.profile.simulated ? 'simulated' : 'switched-off';
}

/** How a dashboard is shown, and why, in words. */
export interface Headline {
  readonly state: StateWord;
  readonly title: string;
  readonly text: string;
  /** Null if nothing needs to be done. */
  readonly action: EntitiesAction | null;
}

/** A place on a dashboard. */
interface Place {
  readonly view: string | null;
  readonly card: string | null;
}

/** The kind of a card as people call it: `mini-graph` for `custom:mini-graph-card`. */
const kindOf = (card: string): string => card.replace(/^custom:/, '').replace(/-card$/, '');

/** A place in words, such as "the map card in Home". */
export function placeWords({ view, card: kind }: Place): string {
  const card = kind === null ? null : kindOf(kind);
  if (card === null) return view === null ? t('entities.place_dashboard') : t('entities.place_view', { view });
  return view === null ? t('entities.place_card', { card }) : t('entities.place_card_view', { card, view });
}

/** The words capitalised, to start a sentence. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Where an entity was found, in words; null if that is the dashboard as a whole. */
function whereWords({ view, card }: Place): string | null {
  if (card === null) return view === null ? null : t('entities.on_view', { view });
  const kind = kindOf(card);
  const one = t(/^[aeiou]/i.test(kind) ? 'entities.an_card' : 'entities.a_card', { card: kind });
  return view === null ? t('entities.on_card', { card: one }) : t('entities.on_card_view', { card: one, view });
}

function reasonWords(reason: EntityRow['reasons'][number]): string {
  const place = whereWords(reason);
  return place === null ? t(`entities.reason.${reason.source}`) : t(`entities.reason_at.${reason.source}`, { place });
}

/** Why an entity is in the set or not: every known reason. */
export function whyWords({ reasons, misses, missing, override, subscribed }: EntityRow): string {
  if (missing) return t(override === 'pinned' ? 'entities.why_missing_pinned' : 'entities.why_missing');
  if (reasons.length === 0) {
    if (override !== 'auto') return t('entities.why_named');
    // In every set, or of a kind whose learning is off.
    if (misses === 0) return t(subscribed ? 'entities.why_always' : 'entities.why_choice');
    return t('entities.why_none');
  }
  const why = sentence([...new Set(reasons.map(reasonWords))].join(', '));
  return misses > 0 ? t('entities.why_misses', { why, count: misses }) : why;
}

/** The state of an entity in a word. */
export function stateWords({ subscribed, override, missing }: EntityRow): string {
  if (missing && override !== 'forced_exclude') return t('entities.state.missing');
  if (override !== 'auto') return t(`entities.state.${override}`);
  return t(subscribed ? 'entities.state.sent' : 'entities.state.not_sent');
}

const blockingOf = (issues: readonly ShownIssue[]): ShownIssue | undefined =>
  issues.find(({ blocks, ignored }) => blocks && !ignored);

const unfiltered = (why: Exclude<SyncDocument['no_filter'], null>): Headline => ({
  state: ({ reading: 'checking', 'not-chosen': 'off', 'no-renderer': 'not_here', 'signed-out': 'needs_you' } as const)[
    why
  ],
  title: t(`entities.none.${why}`),
  text: t(`entities.none_text.${why}`),
  action: ({ reading: null, 'not-chosen': 'on', 'no-renderer': 'renderer', 'signed-out': 'sign-in' } as const)[why],
});

function sent(sync: SyncDocument, manual: boolean): Headline {
  const { active_count: count, total_count: total, learned_count: learned } = sync;
  return {
    state: 'working',
    title:
      total === null || total < (count ?? 0)
        ? t('entities.sent', { count: count ?? 0 })
        : t('entities.sent_of', { count: count ?? 0, total }),
    text: t(manual ? 'entities.sent_manual' : learned === count ? 'entities.sent_text' : 'entities.sent_other'),
    action: !manual && learned !== count ? 'activate' : null,
  };
}

function notScanned({ scan, scan_failure: failure }: SyncDocument): Headline {
  if (scan !== null)
    return {
      state: 'checking',
      title: t('entities.scanning'),
      text: t(scan.step === 1 ? 'entities.scan_reading' : 'entities.scan_building', { count: scan.entities }),
      action: null,
    };
  return failure === null
    ? { state: 'checking', title: t('entities.scan_due'), text: t('entities.scan_due_text'), action: 'sync' }
    : {
        // All others are retried.
        state: failure === 'signed-out' ? 'needs_you' : 'checking',
        title: t('entities.scan_failed'),
        text: t(`entities.scan_failure.${failure}`),
        action: 'sync',
      };
}

/** Why a dashboard gets everything. */
function unboundedWords(issue: ShownIssue): string {
  if (issue.kind === 'too-large') return t('entities.issue_help.too-large');
  return issue.view === null && issue.card === null
    ? t('entities.unbounded_whole')
    : t('entities.unbounded_text', { place: placeWords(issue) });
}

/** How a dashboard is shown, and why. */
export function headlineOf(
  sync: SyncDocument,
  issues: readonly ShownIssue[],
  manual: boolean,
  without: Without = null,
): Headline {
  if (sync.no_filter === 'no-renderer' && without !== null)
    return {
      state: 'not_here',
      title: t(`entities.none.${without}`),
      text: t(`entities.none_text.${without}`),
      action: 'status',
    };
  if (sync.no_filter !== null) return unfiltered(sync.no_filter);
  switch (sync.showing) {
    case 'filtered':
      return sent(sync, manual);
    case 'unbounded': {
      const issue = blockingOf(issues);
      return issue === undefined
        ? {
            // The dashboard works; its filter waits for a person who may leave it so.
            state: 'off',
            title: t('entities.ready'),
            text: t('entities.ready_text', { count: sync.learned_count }),
            action: 'activate',
          }
        : {
            state: 'working',
            title: t('entities.unbounded'),
            text: unboundedWords(issue),
            action: null,
          };
    }
    case 'not-a-dashboard':
      return { state: 'off', title: t('entities.no_dashboard'), text: t('entities.no_dashboard_text'), action: null };
    case 'fallback':
      return { state: 'off', title: t('entities.fallback'), text: t('entities.fallback_text'), action: 'status' };
    case 'not-scanned':
      return notScanned(sync);
    case 'off':
      return { state: 'off', title: t('entities.unseen'), text: t('entities.unseen_text'), action: null };
  }
}
