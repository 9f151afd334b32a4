import { t } from '../strings/t.ts';

/** The switch of voice while it is on; `labelledBy` is the id of its label. */
export const VoiceSwitch = ({ labelledBy }: { readonly labelledBy: string }) => (
  <>
    <span class="control-value">{t('controls.on')}</span>
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked="true"
      aria-labelledby={labelledBy}
      data-voice="off"
      disabled
    ></button>
  </>
);
