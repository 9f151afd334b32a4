import type { StatusDocument } from '#machines/status.ts';
import { cards, type NamedCard } from '../cards.ts';
import { RebootQuestion } from '../parts/controls.tsx';
import { Live } from '../parts/live.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

const CardOf = ({ card, status }: { readonly card: NamedCard; readonly status: StatusDocument }) => {
  const live = <Live part={card.name} status={status} />;
  if ('frame' in card) return <card.frame status={status}>{live}</card.frame>;
  const { title, columns, help, beside, anchor = `${card.name}-title` } = card;
  const heading = <h2 id={anchor}>{t(title)}</h2>;
  return (
    <section class={columns === undefined ? 'card' : `card span-${columns}`} aria-labelledby={anchor}>
      {beside === undefined ? (
        heading
      ) : (
        <div class="card-head">
          {heading}
          {beside()}
        </div>
      )}
      {help === undefined ? null : <p class="hint">{t(help)}</p>}
      {live}
    </section>
  );
};

/** `/`: the panel, how it is, what it needs, and its controls. */
export const StatusPage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="status" title="page.status" styles={['drawing']}>
    <div class="grid">
      {cards.map((card) =>
        'name' in card ? (
          <CardOf key={card.name} card={card} status={status} />
        ) : (
          <div class="stack">
            {card.map((each) => (
              <CardOf key={each.name} card={each} status={status} />
            ))}
          </div>
        ),
      )}
    </div>
    <RebootQuestion status={status} />
  </Shell>
);
