import type { ShownCatalog } from '#machines/profiles/listing.ts';
import type { StatusDocument } from '#machines/status.ts';
import { ProfileDraft } from '../parts/profile-draft.tsx';
import { ProfilesView } from '../parts/profiles-view.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/profiles`: which profile this panel uses, every other one, and an editor; `catalog` is null until it was read. */
export const ProfilesPage = ({
  status,
  catalog,
}: {
  readonly status: StatusDocument;
  readonly catalog: ShownCatalog | null;
}) => (
  <Shell status={status} page="profiles" title="page.profiles" styles={['profiles']}>
    <p class="lead">{t('profiles.intro')}</p>
    <ProfileDraft editor={`/assets/profile-editor.js?v=${encodeURIComponent(status.panel.version)}`} />
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
    <dialog class="question" id="profile-question" aria-labelledby="profile-question-title">
      <h2 id="profile-question-title"></h2>
      <ul class="plain-list" data-texts></ul>
      <div class="question-buttons">
        <button type="button" class="button" data-answer="no">
          {t('controls.cancel')}
        </button>
        <button type="button" class="button primary" data-answer="yes"></button>
      </div>
    </dialog>
  </Shell>
);
