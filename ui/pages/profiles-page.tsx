import type { ShownCatalog } from '#machines/profile-catalog/listing.ts';
import type { StatusDocument } from '#machines/status.ts';
import { ProfileDraft } from '../parts/profile-draft.tsx';
import { ProfilesView } from '../parts/profiles-view.tsx';
import { Question } from '../parts/question.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/profiles`: the profile in use, all others, and an editor; `catalog` is null until read. */
export const ProfilesPage = ({
  status,
  catalog,
}: {
  readonly status: StatusDocument;
  readonly catalog: ShownCatalog | null;
}) => (
  <Shell status={status} page="profiles">
    <p class="lead">{t('profiles.intro')}</p>
    <ProfileDraft />
    <sconce-profiles>
      <ProfilesView
        catalog={catalog}
        title={status.panel.profile.title}
        now={status.taken_at}
        reachable={true}
        live={false}
        expected={null}
      />
    </sconce-profiles>
    <Question id="profile-question" />
  </Shell>
);
