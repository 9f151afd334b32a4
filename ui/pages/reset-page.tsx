import type { ResetDocument } from '#machines/reset/document.ts';
import type { StatusDocument } from '#machines/status.ts';
import { Question } from '../parts/question.tsx';
import { ResetView } from '../parts/reset.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/setup/reset`: three kinds of reset, each with what it removes and keeps. */
export const ResetPage = ({ status, doc }: { readonly status: StatusDocument; readonly doc: ResetDocument }) => (
  <Shell status={status} page="reset">
    <p class="lead">{t('reset.intro')}</p>
    <sconce-reset>
      <ResetView doc={doc} now={status.taken_at} reachable={true} asked={null} ordered={false} silent={false} />
    </sconce-reset>
    <Question id="reset-question" yes="danger" />
  </Shell>
);
