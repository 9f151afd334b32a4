import { t } from '../strings/t.ts';

/** The editor, hidden until an edit starts. */
export const ProfileDraft = () => (
  <sconce-profile-draft class="card draft" hidden>
    <div class="card-head">
      <h2 id="draft-title" tabindex={-1}>
        {t('profiles.draft')}
      </h2>
      <button type="button" class="button quiet" data-draft="close">
        {t('profiles.draft_close')}
      </button>
    </div>
    <p class="hint" data-origin></p>
    <div class="draft-columns">
      <div class="draft-text">
        <div data-editor-place></div>
        <p class="hint">{t('profiles.keys')}</p>
      </div>
      <div class="draft-found">
        <div data-findings></div>
        <div class="profile-buttons">
          <button type="button" class="button primary" data-draft="save" disabled>
            {t('profiles.save')}
          </button>
          <button type="button" class="button" data-draft="download">
            {t('profiles.download')}
          </button>
        </div>
        <p class="said" role="status" data-draft-said></p>
        <div class="profile-buttons" data-after-save hidden>
          <button type="button" class="button primary" data-draft="activate">
            {t('profiles.activate')}
          </button>
        </div>
      </div>
    </div>
    <input type="file" accept=".yaml,.yml,application/yaml,text/plain" data-file hidden />
  </sconce-profile-draft>
);
