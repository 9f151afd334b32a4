import type { InUseHolder, MarkCommand, MarkFact } from '#machines/in-use/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { DevTools, DevToolsEvent } from './devtools.ts';
import { textAt } from './json-fields.ts';
import { type MarkSession, openMarkSession } from './mark-session.ts';
import { mainFrameIn } from './session.ts';

/** A browser in whose tabs the mark can be drawn. */
export interface MarkBrowser {
  readonly tools: DevTools;
  /** Target of the dashboard. */
  readonly dashboard: string;
  /** True for the target of the tab for questions. */
  readonly isQuestion: (targetId: string) => Promise<boolean>;
}

export interface MarkDeps extends MarkBrowser {
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly send: (fact: MarkFact) => void;
}

/** The mark of one browser. */
export interface Mark {
  readonly onCommand: (command: MarkCommand) => Promise<void>;
  /** Takes all events of the browser. */
  readonly onEvent: (event: DevToolsEvent) => void;
  /** That tab is in front now, or about to be. */
  readonly inFront: (targetId: string) => void;
  /** The browser is gone. */
  readonly end: () => void;
}

/** Time between two confirmations. */
const CONFIRM_MS: Milliseconds = 5000;
/** Pause before the mark is drawn again where it was not seen. */
const RETRY_MS: Milliseconds = 250;

/** Draws the mark in the tab in front, by the browser itself, and looks for it in pictures of that tab. */
export function openMark({ tools, dashboard, isQuestion, elapsed, send }: MarkDeps): Mark {
  let wanted: readonly InUseHolder[] | null = null;
  let front = dashboard;
  /** Of the tabs that have the mark, by target. */
  const sessions = new Map<string, Promise<MarkSession | null>>();
  /** Windows that cover the tab in front until they are closed. */
  const strays = new Set<string>();
  /** Number of the newest round: the results of older ones are of another page or tab. */
  let newest = 0;
  let next: NodeJS.Timeout | undefined;

  const sessionWith = (targetId: string): Promise<MarkSession | null> => {
    const known = sessions.get(targetId) ?? openMarkSession(tools, targetId);
    sessions.set(targetId, known);
    return known;
  };
  /** Draws and looks once; nothing is seen in a tab that takes no commands, or behind another window. */
  const attempt = async (targetId: string, of: readonly InUseHolder[]): Promise<readonly InUseHolder[]> => {
    const session = await sessionWith(targetId);
    if (session === null) sessions.delete(targetId);
    if (session === null || !(await session.draw(of))) return [];
    const seen = await session.look();
    return strays.size === 0 ? seen : [];
  };
  const round = async (): Promise<void> => {
    clearTimeout(next);
    newest += 1;
    const mine = newest;
    if (wanted === null) return;
    const of = wanted;
    const seen = await attempt(front, of);
    if (mine !== newest) return;
    send(
      seen.length > 0
        ? { type: 'mark.confirmed', of: seen, at: elapsed() }
        : { type: 'mark.unconfirmed', at: elapsed() },
    );
    const isWhole = of.every((one) => seen.includes(one));
    next = setTimeout(() => void round(), isWhole ? CONFIRM_MS : RETRY_MS);
  };
  /** What was confirmed no longer is. */
  const again = (): void => {
    if (wanted === null) return;
    send({ type: 'mark.unconfirmed', at: elapsed() });
    void round();
  };
  const hide = async (): Promise<void> => {
    wanted = null;
    newest += 1;
    clearTimeout(next);
    const open = [...sessions.values()];
    sessions.clear();
    await Promise.all(open.map(async (session) => (await session)?.close()));
    if (wanted === null) send({ type: 'mark.hidden' });
  };
  const forget = (targetId: string): void => {
    void sessions.get(targetId)?.then((session) => session && tools.dropSession(session.id));
    sessions.delete(targetId);
  };

  const opened = async (params: unknown): Promise<void> => {
    const targetId = textAt(100, params, 'targetInfo', 'targetId');
    if (textAt(20, params, 'targetInfo', 'type') !== 'page' || targetId === null || targetId === dashboard) return;
    strays.add(targetId);
    if (await isQuestion(targetId)) strays.delete(targetId);
    else again();
  };
  const ofBrowser = ({ method, params }: DevToolsEvent): void => {
    if (method === 'Target.targetCreated') {
      void opened(params);
      return;
    }
    if (method !== 'Target.targetDestroyed' && method !== 'Target.targetCrashed') return;
    const targetId = textAt(100, params, 'targetId') ?? '';
    forget(targetId);
    if (method === 'Target.targetDestroyed' && strays.delete(targetId)) again();
    else if (targetId === front) again();
  };
  const ofTab = async ({ session: id, params }: DevToolsEvent): Promise<void> => {
    const frame = mainFrameIn(params);
    const session = await sessions.get(front);
    if (frame === null || session?.id !== id) return;
    session?.navigated(frame);
    again();
  };

  return {
    onCommand: async (command) => {
      if (command.type === 'mark.hide') {
        await hide();
        return;
      }
      wanted = command.of;
      void round();
    },
    onEvent: (event) => {
      if (event.session === null) ofBrowser(event);
      else if (wanted !== null && event.method === 'Page.frameNavigated') void ofTab(event);
    },
    inFront: (targetId) => {
      if (targetId === front) return;
      front = targetId;
      again();
    },
    end: () => {
      newest += 1;
      clearTimeout(next);
      sessions.clear();
      if (wanted !== null) send({ type: 'mark.unconfirmed', at: elapsed() });
      wanted = null;
    },
  };
}
