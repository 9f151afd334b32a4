import type { Child } from 'hono/jsx';
import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { Live } from '../parts/live.tsx';
import { Moment } from '../parts/moment.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** Facts about this build and its machine. */
interface ProductFacts {
  /** Eight hex digits, different for each build. */
  readonly build: string;
  readonly node: string;
  /** The profile in use, and whether it is bundled; null while unknown. */
  readonly profile: { readonly id: string; readonly version: string; readonly origin: 'bundled' | 'local' } | null;
  /** Assets with the licence texts; null if this build has none, such as one run from source. */
  readonly licence: string | null;
  readonly notices: string | null;
}

const Fact = ({ name, children }: { readonly name: string; readonly children?: Child }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Facts({ status: { panel, taken_at: now }, facts }: AboutPageProps) {
  const { profile } = facts;
  const board = [panel.manufacturer, panel.model].filter((part) => part !== '').join(' ');
  return (
    <dl class="facts">
      <Fact name={t('product.version')}>{panel.version}</Fact>
      <Fact name={t('product.build')}>
        <code>{facts.build}</code>
      </Fact>
      <Fact name={t('product.profile')}>
        <a class="inline-target" href="/profiles">
          {panel.profile.title}
        </a>
        {profile === null ? null : (
          <>
            {' '}
            <span class="hint">
              {t(`product.profile.${profile.origin}`, { id: profile.id, version: profile.version })}
            </span>
          </>
        )}
      </Fact>
      <Fact name={t('product.board')}>{board === '' ? t('product.unknown') : board}</Fact>
      <Fact name={t('product.system')}>{panel.system === '' ? t('product.unknown') : panel.system}</Fact>
      <Fact name={t('product.node')}>{facts.node}</Fact>
      <Fact name={t('product.since')}>
        <Moment at={panel.started_at} now={now} />
      </Fact>
    </dl>
  );
}

const Licences = ({ facts: { licence, notices } }: { readonly facts: ProductFacts }) => (
  <section class="card" aria-labelledby="licences-title">
    <h2 id="licences-title">{t('product.licences')}</h2>
    <p>{t('product.mit')}</p>
    <div class="about-buttons">
      {licence === null ? null : (
        <a class="button" href={`/assets/${licence}`}>
          {t('product.licence')}
        </a>
      )}
      {notices === null ? null : (
        <a class="button" href={`/assets/${notices}`}>
          {t('product.notices')}
        </a>
      )}
    </div>
  </section>
);

const Updates = ({ status }: Pick<AboutPageProps, 'status'>) => (
  <section class="card" aria-labelledby="updates-title">
    <h2 id="updates-title">{t('product.updates')}</h2>
    <Live part="updates" status={status} />
    <sconce-updates>
      <p class="said" role="status"></p>
      <div class="about-buttons">
        <button type="button" class="button" disabled>
          <Icon name="mdi:refresh" size={20} />
          <span>{t('product.updates_ask')}</span>
        </button>
      </div>
    </sconce-updates>
  </section>
);

export interface AboutPageProps {
  readonly status: StatusDocument;
  readonly facts: ProductFacts;
}

/** `/about`: versions, licences and the support bundle. */
export const AboutPage = ({ status, facts }: AboutPageProps) => (
  <Shell status={status} page="about" ofProfile>
    <div class="grid about">
      <section class="card about-runs" aria-labelledby="runs-title">
        <h2 id="runs-title">{t('product.runs')}</h2>
        <Facts status={status} facts={facts} />
      </section>
      <Updates status={status} />
      <section class="card" aria-labelledby="support-title">
        <h2 id="support-title">{t('product.support')}</h2>
        <p>{t('product.support_help')}</p>
        <p class="hint">{t('product.support_redacted')}</p>
        <div class="about-buttons">
          <a class="button primary" href="/api/v1/support" download>
            <Icon name="mdi:download" size={20} />
            <span>{t('product.support_save')}</span>
          </a>
        </div>
      </section>
      <Licences facts={facts} />
      <section class="card" aria-labelledby="programs-title">
        <h2 id="programs-title">{t('product.programs')}</h2>
        <p>{t('product.programs_help')}</p>
        <div class="about-buttons">
          <a class="button" href="/api">
            {t('product.explorer')}
          </a>
          <a class="button" href="/api/v1/openapi.json">
            {t('api.document')}
          </a>
        </div>
      </section>
    </div>
  </Shell>
);
