import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { TitledCard } from './card.ts';
import { Moment } from './moment.tsx';

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value === '' ? t('about.unknown') : value}</dd>
  </div>
);

/** What this machine is, in a few facts. */
export const About = ({ status, now }: { readonly status: StatusDocument; readonly now: number }) => (
  <dl class="facts">
    <Fact
      name={t('about.model')}
      value={[status.panel.manufacturer, status.panel.model].filter((part) => part !== '').join(' ')}
    />
    <Fact name={t('about.system')} value={status.panel.system} />
    <Fact name={t('about.version')} value={status.panel.version} />
    <Fact name={t('about.profile')} value={status.panel.profile.title} />
    {status.screen?.display == null ? null : <Fact name={t('about.display')} value={status.screen.display} />}
    {status.volume?.route == null ? null : <Fact name={t('about.sound')} value={status.volume.route} />}
    <Fact name={t('about.storage')} value={status.storage_health.summary} />
    <Fact name={t('about.camera')} value={status.camera.summary} />
    <div>
      <dt>{t('about.started')}</dt>
      <dd>
        <Moment at={status.panel.started_at} now={now} />
      </dd>
    </div>
  </dl>
);

/** The card of what this machine is. */
export const aboutCard = { name: 'about', title: 'about.title', draw: About } as const satisfies TitledCard;
