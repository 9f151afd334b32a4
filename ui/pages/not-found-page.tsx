import type { StatusDocument } from '#machines/status.ts';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** The page for unknown paths. */
export const NotFoundPage = ({
  status,
  settings = false,
}: {
  readonly status: StatusDocument;
  /** True if the path is below `/configure`. */
  readonly settings?: boolean;
}) => (
  <Shell status={status} page="missing">
    <div class="card empty">
      <p>{t('missing.text')}</p>
      <a class="button primary" href={settings ? '/configure' : '/'}>
        {t(settings ? 'missing.settings' : 'missing.home')}
      </a>
    </div>
  </Shell>
);
