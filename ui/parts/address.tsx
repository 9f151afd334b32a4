import { t } from '../strings/t.ts';

/** What the script says beside the address that `label` names: where it is a broker's, whether that answers. */
export const Address = ({ label, probed }: { readonly label: string; readonly probed: boolean }) => (
  <>
    {probed ? <p class="said" role="status" data-probed></p> : null}
    <div class="offer" data-offer hidden>
      <p class="hint" role="status" data-found></p>
      <button type="button" class="button" aria-label={`${t('form.use_found')}: ${label}`}>
        {t('form.use_found')}
      </button>
    </div>
  </>
);
