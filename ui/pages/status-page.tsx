import type { StatusDocument } from '#machines/status.ts';
import { RebootQuestion } from '../parts/controls.tsx';
import { Icon } from '../parts/icon.tsx';
import { Live } from '../parts/live.tsx';
import { ScreenPicture } from '../parts/screen-picture.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/`: the panel, how it is, what it needs, and its controls. */
export const StatusPage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="status" title="page.status" styles={['drawing']}>
    <div class="grid">
      <section class="hero card span-2" aria-label={status.panel.name}>
        <Live part="drawing" status={status} />
        <ScreenPicture status={status} />
      </section>
      <section class="card hero-words" aria-label={t('page.status')}>
        <Live part="summary" status={status} />
      </section>
      <section class="card span-2" aria-labelledby="controls-title">
        <h2 id="controls-title">{t('controls.title')}</h2>
        <Live part="controls" status={status} />
      </section>
      <section class="card" aria-labelledby="links-title">
        <div class="card-head">
          <h2 id="links-title">{t('links.title')}</h2>
          <a href="/configure#group-mqtt">{t('links.settings')}</a>
        </div>
        <Live part="links" status={status} />
      </section>
      <section class="card span-2" aria-labelledby="capabilities">
        <div class="card-head">
          <h2 id="capabilities">{t('capabilities.title')}</h2>
          <sconce-check>
            <span class="said" role="status"></span>
            <button type="button" class="button quiet" disabled>
              <Icon name="refresh" size={20} />
              <span>{t('capabilities.check')}</span>
            </button>
          </sconce-check>
        </div>
        <Live part="capabilities" status={status} />
      </section>
      <div class="stack">
        <section class="card" aria-labelledby="happened-title">
          <div class="card-head">
            <h2 id="happened-title">{t('page.history')}</h2>
            <a href="/history">{t('history.all')}</a>
          </div>
          <Live part="happened" status={status} />
        </section>
        <section class="card" aria-labelledby="about-title">
          <h2 id="about-title">{t('about.title')}</h2>
          <Live part="about" status={status} />
        </section>
      </div>
      <section class="card span-3" aria-labelledby="tree-title">
        <h2 id="tree-title">{t('tree.title')}</h2>
        <p class="hint">{t('tree.help')}</p>
        <Live part="tree" status={status} />
      </section>
    </div>
    <RebootQuestion status={status} />
  </Shell>
);
