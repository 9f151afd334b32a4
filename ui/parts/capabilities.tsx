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

/** Capabilities with the same verdict, as one row. */
export interface AlikeRow extends CapabilityRow {
  /** Ids of all of them; the first is the row's id. */
  readonly ids: readonly string[];
}

const saidOf = ({ state, reason, detail, missing, fix }: CapabilityRow): string =>
  JSON.stringify([state, reason, detail, missing, fix]);

/** Neighbours with the same verdict share a row, so that a panel with many similar parts stays readable. */
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

/** Link targets for the other capabilities of a shared row. */
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

/** Rows with little to say, folded behind one line with their count. */
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
 * All capabilities except the link to Home Assistant, which has its own card: those that need a person are open, those
 * that are off show their evidence, those that work or are not here are counted and folded.
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

export const CheckAgain = () => (
  <sconce-check>
    <span class="said" role="status"></span>
    <button type="button" class="button quiet" disabled aria-label={t('capabilities.check')}>
      <Icon name="mdi:refresh" size={20} />
      <span class="wide-word">{t('capabilities.check')}</span>
    </button>
  </sconce-check>
);

/** The card of capabilities; other cards link to it. */
export const capabilitiesCard = {
  name: 'capabilities',
  reads,
  title: 'capabilities.title',
  anchor: 'capabilities',
  beside: () => <CheckAgain />,
  draw: Capabilities,
} as const satisfies TitledCard<typeof reads>;
