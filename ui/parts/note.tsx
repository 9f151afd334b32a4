/**
 * Where the page says what became of what was asked of the control beside it. `of` names the place for what is asked
 * elsewhere, such as in a dialog.
 */
export const Note = ({ of = '' }: { readonly of?: string }) => (
  <p class="said" role="status" data-note={of} data-keep></p>
);
