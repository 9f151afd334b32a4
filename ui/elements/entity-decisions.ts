import type { SyncDocument } from '#machines/entity-filter/documents.ts';
import { t } from '../strings/t.ts';
import { askPerson, type Question } from './question.ts';
import { send, type Sent } from './send.ts';

/** The dialog that asks before a change. */
const dialog = 'entities-question';

function asks(question: Question, isGrave = false): Promise<boolean> {
  document.querySelector(`#${dialog} [data-answer="yes"]`)?.classList.toggle('danger', isGrave);
  return askPerson(dialog, question);
}

/** Asks before a dashboard gets the learned set, with the numbers before and after. */
export function asksToActivate({ learned_count: count, active_count: before }: SyncDocument): Promise<boolean> {
  return asks({
    title: t('entities.ask_activate', { count }),
    texts: [
      before === null ? t('entities.ask_from_all') : t('entities.ask_from', { count: before }),
      t('entities.ask_activate_text'),
    ],
    yes: t('entities.action.activate', { count }),
  });
}

/** Asks before everything that was learned is forgotten. */
export const asksToReset = (): Promise<boolean> =>
  asks(
    {
      title: t('entities.ask_reset'),
      texts: [t('entities.ask_reset_text'), t('entities.ask_reset_kept')],
      yes: t('entities.reset'),
    },
    true,
  );

/** A decision about entities of a dashboard, "" for the one that is shown. */
export interface EntityDecision {
  readonly dashboard: string;
  readonly ids: readonly string[];
  readonly override: string;
}

/** Applies a decision, after a question if the panel requires one. Null if the person said no. */
export async function decideEntities(path: string, { dashboard, ids, override }: EntityDecision): Promise<Sent | null> {
  const body = { entity_ids: ids, override, ...(dashboard !== '' && { dashboard }) };
  const sent = await send(path, body);
  if (sent.ok || sent.error !== 'confirmation_required') return sent;
  // No question before handing a decision back to the panel.
  const kind = override === 'pinned' ? 'pinned' : 'forced_exclude';
  const agreed = await asks({
    title: t(`entities.ask_force.${kind}`, { count: ids.length, id: ids[0] ?? '' }),
    texts: [sent.reason],
    yes: t(`entities.force.${kind}`),
  });
  return agreed ? send(path, { ...body, force: true }) : null;
}
