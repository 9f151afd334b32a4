import { t } from '../strings/t.ts';

/** Where the script shows whether anything answers at the address `label`, and what was found. */
export const Address = ({ label }: { readonly label: string }) => (
  <>
    <p class="said" role="status" data-probed></p>
    <div class="offer" data-offer hidden>
      <p class="hint" role="status" data-found></p>
      <button type="button" class="button" aria-label={`${t('form.use_found')}: ${label}`}>
        {t('form.use_found')}
      </button>
    </div>
  </>
);
