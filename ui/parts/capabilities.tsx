import type { CapabilityRow } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { TitledCard } from './card.ts';
import { Command } from './command.tsx';
import { Icon } from './icon.tsx';
import { Sentence } from './sentence.tsx';
import { StateMark, type StateWord } from './state-mark.tsx';

const rank: Readonly<Record<StateWord, number>> = { needs_you: 0, checking: 1, working: 2, off: 3, not_here: 4 };

/** What needs a person first, then what works, then what is off or absent; else in the order given. */
export const sortCapabilities = (rows: readonly CapabilityRow[]): readonly CapabilityRow[] =>
  [...rows].sort((a, b) => rank[a.state] - rank[b.state]);

/** Neighbours of which the same is to be said stand in one row, so that a panel of many like parts stays readable. */
export const joinAlike = (rows: readonly CapabilityRow[]): readonly CapabilityRow[] => {
  const joined: CapabilityRow[] = [];
  for (const row of rows) {
    const last = joined[joined.length - 1];
    const isAlike =
      last !== undefined &&
      JSON.stringify({ ...last, id: row.id, title: row.title, name: row.name }) === JSON.stringify(row);
    if (isAlike) joined.splice(-1, 1, { ...last, title: `${last.title}, ${row.title}` });
    else joined.push(row);
  }
  return joined;
};

const Row = ({ row }: { readonly row: CapabilityRow }) => (
  <li>
    <details class="fold" id={`capability-${row.id}`}>
      <summary>
        <span class="fold-title">{row.title}</span>
        <StateMark state={row.state} />
      </summary>
      <div class="fold-body">
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
  </li>
);

/** What is known of this hardware; each row opens to its evidence and the command that fixes it. */
export const Capabilities = ({ status }: { readonly status: StatusDocument }) => {
  const rows = sortCapabilities(status.capabilities);
  if (rows.length === 0) return <p class="hint">{t('capabilities.empty')}</p>;
  return (
    <div>
      <p class="hint">
        {t('capabilities.count', { count: rows.filter((row) => row.state === 'working').length, total: rows.length })}
      </p>
      <ul class="folds">
        {joinAlike(rows).map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
    </div>
  );
};

const CheckAgain = () => (
  <sconce-check>
    <span class="said" role="status"></span>
    <button type="button" class="button quiet" disabled>
      <Icon name="refresh" size={20} />
      <span>{t('capabilities.check')}</span>
    </button>
  </sconce-check>
);

/** The card of what is known of this hardware; others lead to it. */
export const capabilitiesCard = {
  name: 'capabilities',
  title: 'capabilities.title',
  columns: 2,
  anchor: 'capabilities',
  beside: () => <CheckAgain />,
  draw: Capabilities,
} as const satisfies TitledCard;
