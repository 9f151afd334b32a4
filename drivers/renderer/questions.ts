import { serial } from '#drivers/kit/serial.ts';
import type {
  QuestionCommand,
  QuestionFact,
  SecurityMode,
  ShownQuestion,
  ShownResult,
} from '#machines/approvals/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { DevTools, DevToolsEvent } from './devtools.ts';
import { openTab, type OpenTab } from './open-tab.ts';
import type { TabMessage } from './tab-messages.ts';

/** What the panel's own pages may ask for: to show what waits, or to switch the mode. */
export const wishes = ['questions', 'hardened', 'relaxed'] as const satisfies readonly (SecurityMode | 'questions')[];
export type Wish = (typeof wishes)[number];

/** A browser that can show questions. */
export interface QuestionBrowser {
  readonly tools: DevTools;
  /** Origin of the panel's own pages. */
  readonly ownOrigin: string;
  /** Target of the dashboard, which is in front again after a question. */
  readonly dashboard: string;
  /** Called with the target that is about to be in front. */
  readonly onFront?: (targetId: string) => void;
}

export interface QuestionsDeps extends QuestionBrowser {
  readonly elapsed: () => Milliseconds;
  readonly send: (fact: QuestionFact) => void;
}

/** The questions of one browser. */
export interface Questions {
  readonly onCommand: (command: QuestionCommand) => Promise<void>;
  /** Takes all events of the browser. */
  readonly onEvent: (event: DevToolsEvent) => void;
  /** True for the target of the tab; waits for a tab that is being opened. */
  readonly owns: (targetId: string) => Promise<boolean>;
  /** Brings the tab to front; false if none is open. */
  readonly bringToFront: () => Promise<boolean>;
  /** The browser is gone. */
  readonly end: () => void;
}

/** What the tab shows or is about to. */
interface Desired {
  readonly question: ShownQuestion;
  /** When its time is up, by the monotonic clock. */
  readonly endsAt: Milliseconds;
  readonly result: ShownResult | null;
}

/** Most messages of the page in one second; a person causes fewer than ten. */
const MESSAGES_LIMIT = 20;
const SECOND_MS: Milliseconds = 1000;
/** Shortest time between two reported touches. */
const TOUCH_MS: Milliseconds = 1000;
/** Shortest time between two attempts to come to front again. */
const RETURN_MS: Milliseconds = 1000;

/** Shows the questions of the machine in a tab that exists only as long as there are any. */
export function openQuestions({ tools, ownOrigin, dashboard, onFront, elapsed, send }: QuestionsDeps): Questions {
  let desired: Desired | null = null;
  let tab: OpenTab | null = null;
  /** True once the tab was brought to front, which it is with its first question. */
  let isInFront = false;
  let ended = false;
  let second: { since: Milliseconds; messages: number } = { since: Number.NEGATIVE_INFINITY, messages: 0 };
  let touchedAt = Number.NEGATIVE_INFINITY;
  let returnedAt = Number.NEGATIVE_INFINITY;
  let returning: NodeJS.Timeout | undefined;
  /** One after the other: opening, filling and closing overlap otherwise. */
  const inTurn = serial();

  const close = async (closing: OpenTab): Promise<void> => {
    if (tab === closing) tab = null;
    clearTimeout(returning);
    onFront?.(dashboard);
    await closing.close();
    if (!ended) await tools.call('Target.activateTarget', { targetId: dashboard });
  };
  const lose = async (lost: OpenTab): Promise<void> => {
    if (tab !== lost) return;
    desired = null;
    send({ type: 'question.lost', at: elapsed() });
    await close(lost);
  };

  const isTooMany = (at: Milliseconds): boolean => {
    if (at - second.since >= SECOND_MS) second = { since: at, messages: 0 };
    second.messages += 1;
    return second.messages > MESSAGES_LIMIT;
  };
  /** Whatever covers the tab, the question is what a person has to see. */
  const comeBack = (at: Milliseconds): void => {
    clearTimeout(returning);
    if (tab === null || !isInFront) return;
    const early = returnedAt + RETURN_MS - at;
    if (early > 0) {
      returning = setTimeout(() => comeBack(elapsed()), early);
      return;
    }
    returnedAt = at;
    void tab.bringToFront();
  };
  const onMessage = (message: TabMessage): void => {
    const at = elapsed();
    if (isTooMany(at) || message.type === 'ready' || message.id !== desired?.question.id) return;
    const { id } = message;
    switch (message.type) {
      case 'seen':
        send({ type: 'question.seen', id, visible: message.visible, at });
        if (!message.visible) comeBack(at);
        break;
      case 'pressed':
        send({ type: 'question.pressed', id, at });
        break;
      case 'released':
        send({ type: 'question.released', id, at });
        break;
      case 'answered':
        send({ type: 'question.answered', id, answer: message.answer, at });
        break;
      case 'touched':
        if (at - touchedAt < TOUCH_MS) return;
        touchedAt = at;
        send({ type: 'question.touched', at });
        break;
    }
  };

  const open = async (): Promise<OpenTab> => {
    const opened: OpenTab = openTab({ tools, ownOrigin, onMessage, onLost: () => void lose(opened) });
    tab = opened;
    isInFront = false;
    await opened.ready;
    return opened;
  };
  const fill = (into: OpenTab, { question, endsAt, result }: Desired): Promise<boolean> =>
    result === null
      ? into.call('show', { ...question, leftMs: Math.max(0, endsAt - elapsed()) })
      : into.call('result', result);
  /** Brings the tab to what is desired by now, which may be newer than the command that led here. */
  const apply = async (): Promise<void> => {
    if (ended) return;
    if (desired === null) {
      if (tab !== null) await close(tab);
      return;
    }
    const shown = tab ?? (await open());
    if (desired === null || tab !== shown) return;
    if (!(await fill(shown, desired))) {
      await lose(shown);
      return;
    }
    if (isInFront) return;
    isInFront = true;
    const target = await shown.target;
    if (target !== null) onFront?.(target);
    await shown.bringToFront();
  };

  return {
    onCommand: async (command) => {
      if (command.type === 'question.show') {
        const { question } = command;
        desired = { question, endsAt: elapsed() + question.leftMs, result: null };
      } else if (command.type === 'question.hide') desired = null;
      else if (desired !== null) desired = { ...desired, result: command.result };
      await inTurn(apply);
    },
    onEvent: (event) => tab?.onEvent(event),
    owns: async (targetId) => (await tab?.target) === targetId,
    bringToFront: async () => {
      if (tab === null || !isInFront) return false;
      await tab.bringToFront();
      return true;
    },
    end: () => {
      ended = true;
      clearTimeout(returning);
      if (tab !== null || desired !== null) send({ type: 'question.lost', at: elapsed() });
      desired = null;
      tab = null;
    },
  };
}
