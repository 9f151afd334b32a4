/**
 * Where the page shows the result of the control beside it. `of` names the place for requests made elsewhere, such as
 * in a dialog.
 */
export const Note = ({ of = '' }: { readonly of?: string }) => <p class="said" role="status" data-note={of}></p>;
