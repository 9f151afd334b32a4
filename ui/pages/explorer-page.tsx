import type { StatusDocument } from '#machines/status.ts';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** URL of this build's OpenAPI document. */
const documentPath = '/api/v1/openapi.json';

/** `/api`: every request of the API, to read and try. */
export const ExplorerPage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="api">
    <p class="lead">{t('api.intro')}</p>
    <sconce-explorer src={documentPath}>
      <p class="hint" role="status">
        {t('api.loading')}
      </p>
      <noscript>
        <p class="notice">{t('api.no_script')}</p>
      </noscript>
    </sconce-explorer>
    <p class="explorer-foot">
      <a href={documentPath}>{t('api.document')}</a>
    </p>
  </Shell>
);
