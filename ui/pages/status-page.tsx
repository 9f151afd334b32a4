import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import { cardsOf, type CardName, type NamedCard } from '../cards.ts';
import { CameraSteps } from '../parts/camera-steps.tsx';
import type { BelowCard, PanelAddress } from '../parts/card.ts';
import { RebootQuestion } from '../parts/controls.tsx';
import { Live } from '../parts/live.tsx';
import { ScreenButton } from '../parts/screen-button.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

interface SectionProps {
  readonly status: StatusDocument;
  /** Null if it is not known. */
  readonly address?: PanelAddress | null;
}

/** What the server alone draws below a card, since no script changes it. */
const below: { readonly [Name in CardName]?: (props: BelowCard) => JSX.Element } = { camera: CameraSteps };

function CardOf({ card, status, address = null }: SectionProps & { readonly card: NamedCard }) {
  const { name } = card;
  const live = <Live part={name} status={status} />;
  if (!('title' in card)) {
    const state = 'stateOf' in card ? card.stateOf(status) : undefined;
    return (
      <section
        class={`card card-${name}`}
        aria-labelledby={card.labelledBy}
        data-state={state}
        hidden={state === 'absent' || undefined}
      >
        {live}
        {state === 'absent' ? null : (below[name]?.({ status, address }) ?? null)}
      </section>
    );
  }
  const { title, href, beside, anchor = `${name}-title` } = card;
  const heading = <h2 id={anchor}>{href === undefined ? t(title) : <a href={href}>{t(title)}</a>}</h2>;
  return (
    <section class={`card card-${name}`} aria-labelledby={anchor}>
      {beside === undefined ? (
        heading
      ) : (
        <div class="card-head">
          {heading}
          {beside()}
        </div>
      )}
      {live}
    </section>
  );
}

const CardsOf = ({ place, ...props }: SectionProps & { readonly place: 'left' | 'right' }) => (
  <>
    {cardsOf(place).map((card) => (
      <CardOf key={card.name} card={card} {...props} />
    ))}
  </>
);

const Hero = ({ status }: SectionProps) => (
  <div class="card hero-card">
    <section class="hero" aria-label={status.panel.name}>
      <Live part="drawing" status={status} />
      <ScreenButton status={status} />
    </section>
    <section class="hero-words" aria-label={t('page.status')}>
      <Live part="summary" status={status} />
    </section>
  </div>
);

/** The folds are last; side by side below both columns if there are two. */
const Columns = ({ status, address = null }: SectionProps) => (
  <div class="two-columns">
    <div class="column">
      <CardsOf place="left" status={status} address={address} />
    </div>
    <div class="column right-column">
      <CardsOf place="right" status={status} address={address} />
    </div>
    <div class="card card-folds">
      {cardsOf('folds').map(({ name }) => (
        <Live key={name} part={name} status={status} />
      ))}
    </div>
  </div>
);

/** `/`: from the top, the panel, its state, what it needs, and its controls. */
export const StatusPage = ({ status, address = null }: SectionProps) => (
  <Shell status={status} page="status">
    <div class="sections" data-drawn-at={status.taken_at}>
      <Hero status={status} />
      <Columns status={status} address={address} />
    </div>
    <RebootQuestion status={status} />
  </Shell>
);
