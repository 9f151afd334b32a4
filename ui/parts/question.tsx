import { t } from '../strings/t.ts';

/**
 * The dialog that asks before a change; its script fills in the question, the consequences and the label of the
 * button.
 */
export const Question = ({
  id,
  yes = 'primary',
}: {
  readonly id: string;
  /** `danger` if the change cannot be undone. */
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
