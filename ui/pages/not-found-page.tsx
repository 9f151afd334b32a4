import type { StatusDocument } from '#machines/status.ts';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** The answer to a browser that asks for a page that does not exist. */
export const NotFoundPage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="missing">
    <div class="card empty">
      <p>{t('missing.text')}</p>
      <a class="button primary" href="/">
        {t('missing.home')}
      </a>
    </div>
  </Shell>
);
