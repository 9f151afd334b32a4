import { isAboutLink, outcomeOf, type Save, type SaveOutcome } from '../parts/save-outcome.ts';
import { t } from '../strings/t.ts';
import { latestStatus, onStatus } from './stream.ts';

/** How long to wait for a verdict, in milliseconds: the broker's client gives up an attempt after ten seconds. */
const PATIENCE_MS = 20_000;

/** Follows the outcome of the latest save. */
export interface SaveFollower {
  readonly follow: (save: Save) => void;
  readonly drop: () => void;
}

/** Reports each new outcome of the latest save. */
export function saveFollower(show: (outcome: SaveOutcome) => void): SaveFollower {
  let followed: Save | null = null;
  let shown = '';
  let patience: number | undefined;
  const notify = (outcome: SaveOutcome): void => {
    const now = `${outcome.kind} ${outcome.words}`;
    if (now === shown) return;
    shown = now;
    show(outcome);
  };
  const drop = (): void => {
    window.clearTimeout(patience);
    followed = null;
    shown = '';
  };
  const judge = (): void => {
    const status = latestStatus();
    if (followed === null || status === undefined) return;
    const outcome = outcomeOf(status, followed) ?? { kind: 'done', words: '', href: null };
    notify(outcome);
    if (outcome.kind !== 'waiting') drop();
  };
  onStatus(judge);
  return {
    drop,
    follow: (save) => {
      drop();
      if (!isAboutLink(save)) return show({ kind: 'done', words: '', href: null });
      followed = save;
      patience = window.setTimeout(() => {
        notify({ kind: 'next', words: t('form.silent'), href: null });
        drop();
      }, PATIENCE_MS);
      judge();
      // An attempt is under way even before the first status.
      if (followed !== null && shown === '') show({ kind: 'waiting', words: '', href: null });
      return undefined;
    },
  };
}
