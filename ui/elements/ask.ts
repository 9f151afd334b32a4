import type { Answer, ShownQuestion, ShownResult } from '#machines/approvals/events.ts';
import { t } from '../strings/t.ts';
import { type AskView, openView } from './ask-view.ts';
import { startHold } from './hold.ts';
import { applyTheme } from './theme.ts';

declare global {
  interface Window {
    /** Reports to the panel; present in its tab for questions only. */
    sconceAnswer?: (message: string) => void;
    /** Called by the panel. */
    sconceAsk?: {
      readonly show: (question: ShownQuestion) => void;
      readonly result: (result: ShownResult) => void;
    };
  }
}

/**
 * How long after the question came into sight it takes no answer, in milliseconds: more than the second that the panel
 * asks for, since both are timed when they arrive there. A finger that was about to touch the dashboard hits nothing.
 */
const calmMs = 1200;
/** Shortest time between two reported touches, in milliseconds. */
const touchMs = 1000;

/** Starts the page; without the panel's binding it shows nothing. */
export function startAsk(): void {
  applyTheme();
  const post = window.sconceAnswer;
  delete window.sconceAnswer;
  const view = openView();
  if (post === undefined || view === null) return;
  ask(view, (message) => post(JSON.stringify(message)));
}

function ask(view: AskView, post: (message: object) => void): void {
  let question: ShownQuestion | null = null;
  /** True between an answer and what comes of it. */
  let isAnswered = false;
  let isCalm = false;
  let calming: number | undefined;
  let touchedAt = Number.NEGATIVE_INFINITY;

  const report = (type: string, more: object = {}): void => {
    if (question !== null) post({ type, id: question.id, ...more });
  };
  const enable = (): void => view.enable(isCalm && !isAnswered, (question?.barred.length ?? 1) === 0);
  /** Takes answers again after a moment in sight. */
  const calm = (): void => {
    window.clearTimeout(calming);
    isCalm = false;
    isAnswered = false;
    hold.cancel();
    enable();
    if (document.hidden) return;
    calming = window.setTimeout(() => {
      isCalm = true;
      enable();
    }, calmMs);
  };
  const answer = (given: Answer): void => {
    if (isAnswered || !isCalm) return;
    isAnswered = true;
    view.hint(t(given === 'hold' ? 'ask.sent' : 'ask.hold'));
    enable();
    report('answered', { answer: given });
  };
  const hold = startHold(view.hold, {
    pressed: () => {
      view.hint(t('ask.holding'));
      report('pressed');
    },
    released: () => {
      view.hint(t('ask.hold'));
      report('released');
    },
    held: () => answer('hold'),
  });

  view.onAnswer(answer);
  for (const type of ['pointerdown', 'keydown', 'wheel'] as const)
    document.addEventListener(
      type,
      (event) => {
        if (!event.isTrusted || performance.now() - touchedAt < touchMs) return;
        touchedAt = performance.now();
        report('touched');
      },
      { capture: true, passive: true },
    );
  document.addEventListener('contextmenu', (event) => event.preventDefault());
  document.addEventListener('visibilitychange', () => {
    calm();
    report('seen', { visible: !document.hidden });
  });

  window.sconceAsk = {
    show: (next) => {
      const isSame = question?.id === next.id;
      question = next;
      view.show(next);
      // A press goes on through an update, unless it may no longer become an approval.
      if (next.barred.length > 0) hold.cancel();
      if (!isSame || isAnswered) {
        view.hint(t('ask.hold'));
        calm();
      } else enable();
      if (!isSame) report('seen', { visible: !document.hidden });
    },
    result: (result) => {
      hold.cancel();
      isAnswered = true;
      view.result(result);
      enable();
    },
  };
  post({ type: 'ready' });
}
