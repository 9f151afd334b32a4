import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { QuestionCommand, QuestionDriver, QuestionFact } from '#machines/approvals/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { QuestionBrowser, Questions, QuestionsDeps, Wish } from './questions.ts';

export interface QuestionTabDeps {
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
}

/** What the driver of the browser calls. */
export interface AttachedQuestions extends Pick<Questions, 'onEvent' | 'owns' | 'bringToFront'> {
  /** A button on the panel's own pages was pressed. */
  readonly wants: (wish: Wish) => void;
  /** The browser has ended. */
  readonly detach: () => void;
}

/** Joins the driver that the approvals invoke with the browser that happens to run. */
export interface QuestionTab {
  readonly driver: QuestionDriver;
  /** Called when a browser is ready; its tab, which `open` makes, takes the questions until it is detached. */
  readonly attach: (browser: QuestionBrowser, open: (deps: QuestionsDeps) => Questions) => AttachedQuestions;
}

/** Shortest time between two wishes of the panel's own pages. */
const WISH_MS: Milliseconds = 1000;

/**
 * The place for questions on a real screen: a tab of the built-in browser, while there is one. It is made at the start,
 * so what drives a tab comes with the browser.
 */
export function createQuestionTab({ elapsed }: QuestionTabDeps): QuestionTab {
  let report: ((fact: QuestionFact) => void) | null = null;
  let attached: Questions | null = null;
  let wishedAt = Number.NEGATIVE_INFINITY;
  const send = (fact: QuestionFact): void => report?.(fact);

  return {
    driver: fromDriver<QuestionCommand, undefined, QuestionFact>((scope) => {
      report = scope.send;
      scope.onEvent((command) => {
        if (attached !== null) return attached.onCommand(command);
        if (command.type === 'question.show') scope.send({ type: 'question.lost', at: elapsed() });
      });
      return async () => {
        if (report === scope.send) report = null;
        await attached?.onCommand({ type: 'question.hide' });
      };
    }),
    attach: (browser, open) => {
      const questions = open({ ...browser, elapsed, send });
      attached?.end();
      attached = questions;
      return {
        onEvent: questions.onEvent,
        owns: questions.owns,
        bringToFront: questions.bringToFront,
        wants: (wish) => {
          const at = elapsed();
          if (at - wishedAt < WISH_MS) return;
          wishedAt = at;
          send(wish === 'questions' ? { type: 'questions.wanted', at } : { type: 'mode.wanted', mode: wish, at });
        },
        detach: () => {
          questions.end();
          if (attached === questions) attached = null;
        },
      };
    },
  };
}
