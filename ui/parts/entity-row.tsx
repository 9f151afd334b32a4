import type { EntityRow as Row } from '#machines/entity-filter/documents.ts';
import { t } from '../strings/t.ts';
import { stateWords, whyWords } from './entities-words.ts';

/** An id that can break between its words. */
const Id = ({ id }: { readonly id: string }) => (
  <>
    {id.split(/(?<=[._])/).map((word, index) => (
      <>
        {index === 0 ? null : <wbr />}
        {word}
      </>
    ))}
  </>
);

const Words = ({ row, breaks }: { readonly row: Row; readonly breaks: boolean }) => (
  <>
    {row.name === null ? (
      <span>{breaks ? <Id id={row.entity_id} /> : row.entity_id}</span>
    ) : (
      <>
        <span>{row.name}</span>
        <small>{row.entity_id}</small>
      </>
    )}
    <span>
      <b class={row.subscribed && row.override === 'auto' && !row.missing ? undefined : 'told'}>{stateWords(row)}</b>
      {` ${whyWords(row)}`}
    </span>
  </>
);

/** A read-only row of an entity; short markup, because a page has a hundred of them. */
export const EntityRow = ({ row }: { readonly row: Row }) => (
  <li>
    <Words row={row} breaks={false} />
  </li>
);

/** A selectable row in the virtual list; null while it is being read. */
export const EntityPick = ({ row, picked }: { readonly row: Row | null; readonly picked: boolean }) =>
  row === null ? (
    <span>{t('entities.row_reading')}</span>
  ) : (
    <label>
      <input type="checkbox" value={row.entity_id} checked={picked} />
      <Words row={row} breaks={true} />
    </label>
  );
