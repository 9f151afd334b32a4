import type { CapabilityRow } from '#machines/kit/status.ts';
import { t } from '../strings/t.ts';
import type { TitledCard } from './card.ts';
import { Command } from './command.tsx';
import { Icon } from './icon.tsx';
import { linkIds } from './link-state.ts';
import { isNext } from './next-step.ts';
import { Sentence } from './sentence.tsx';
import type { Sections } from './sections.ts';
import { StateMark } from './state-mark.tsx';

const reads = ['capabilities', 'next', 'setup'] as const;

/** Capabilities of which the same is said, as one row: its verdict, and whom it is about. */
export interface AlikeRow extends CapabilityRow {
  /** Ids of all of them; the first is the row's own. */
  readonly ids: readonly string[];
}

const saidOf = ({ state, reason, detail, missing, fix }: CapabilityRow): string =>
  JSON.stringify([state, reason, detail, missing, fix]);

/** Neighbours of which the same is to be said stand in one row, so that a panel of many like parts stays readable. */
export function joinAlike(rows: readonly CapabilityRow[]): readonly AlikeRow[] {
  const joined: AlikeRow[] = [];
  for (const row of rows) {
    const last = joined[joined.length - 1];
    if (last !== undefined && saidOf(last) === saidOf(row))
      joined.splice(-1, 1, { ...last, title: `${last.title}, ${row.title}`, ids: [...last.ids, row.id] });
    else joined.push({ ...row, ids: [row.id] });
  }
  return joined;
}

/** What others link to, where one row stands for several. */
const Anchors = ({ ids }: { readonly ids: readonly string[] }) => (
  <>
    {ids.slice(1).map((id) => (
      <span key={id} id={`capability-${id}`}></span>
    ))}
  </>
);

const Row = ({ row, open }: { readonly row: AlikeRow; readonly open: boolean }) => (
  <details class="fold" id={`capability-${row.id}`} open={open}>
    <summary>
      <span class="fold-title">{row.title}</span>
      <StateMark state={row.state} />
    </summary>
    <div class="fold-body">
      <Anchors ids={row.ids} />
      <p>
        <Sentence text={row.detail} />
      </p>
      {row.missing === null ? null : (
        <p>
          <b>{t('capabilities.missing')}:</b> <Sentence text={row.missing} />
        </p>
      )}
      {row.fix === null ? null : <Command fix={row.fix} />}
      <p class="hint">
        {t('capabilities.code')}: <code>{row.reason}</code>
      </p>
    </div>
  </details>
);

/** Many rows of which hardly anything is to be said, behind one line that counts them. */
const Folded = (props: { readonly id: string; readonly title: string; readonly rows: readonly AlikeRow[] }) =>
  props.rows.length === 0 ? null : (
    <details class="fold" id={props.id}>
      <summary>
        <span class="fold-title">{props.title}</span>
      </summary>
      <ul class="known">
        {props.rows.map((row) => (
          <li key={row.id} id={`capability-${row.id}`}>
            <Anchors ids={row.ids} />
            <b>{row.title}</b> <Sentence text={row.detail} />
          </li>
        ))}
      </ul>
    </details>
  );

/**
 * What is known of this hardware but the way to Home Assistant, which has a card of its own: what needs a person open,
 * what is off with its evidence, what works and what is not here counted and folded.
 */
export function Capabilities({ status }: { readonly status: Sections<(typeof reads)[number]> }) {
  const rows = status.capabilities.filter((row) => !linkIds.includes(row.id));
  if (rows.length === 0) return <p class="hint">{t('capabilities.empty')}</p>;
  const of = (state: CapabilityRow['state']): readonly AlikeRow[] =>
    joinAlike(rows.filter((row) => row.state === state));
  const working = of('working');
  const absent = of('not_here');
  return (
    <div>
      {[...of('needs_you'), ...of('checking'), ...of('off')].map((row) => (
        <Row key={row.id} row={row} open={row.state === 'needs_you' && !isNext(status, row)} />
      ))}
      <Folded id="capabilities-working" title={t('capabilities.work', { count: working.length })} rows={working} />
      <Folded id="capabilities-absent" title={t('capabilities.absent', { count: absent.length })} rows={absent} />
    </div>
  );
}

/** Has the panel look at its hardware now. */
export const CheckAgain = () => (
  <sconce-check>
    <span class="said" role="status"></span>
    <button type="button" class="button quiet" disabled aria-label={t('capabilities.check')}>
      <Icon name="mdi:refresh" size={20} />
      <span class="wide-word">{t('capabilities.check')}</span>
    </button>
  </sconce-check>
);

/** The card of what is known of this hardware; others lead to it. */
export const capabilitiesCard = {
  name: 'capabilities',
  reads,
  title: 'capabilities.title',
  anchor: 'capabilities',
  beside: () => <CheckAgain />,
  draw: Capabilities,
} as const satisfies TitledCard<typeof reads>;
