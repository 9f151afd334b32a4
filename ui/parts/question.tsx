import { t } from '../strings/t.ts';

/** The dialog that asks before a change; its script fills in the question, what would follow, and the answer's word. */
export const Question = ({
  id,
  yes = 'primary',
}: {
  readonly id: string;
  /** `danger` where what follows can never be undone. */
  readonly yes?: 'primary' | 'danger';
}) => (
  <dialog class="question" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}></h2>
    <ul class="plain-list" data-texts></ul>
    <div class="question-buttons">
      <button type="button" class="button" data-answer="no">
        {t('controls.cancel')}
      </button>
      <button type="button" class={`button ${yes}`} data-answer="yes"></button>
    </div>
  </dialog>
);
