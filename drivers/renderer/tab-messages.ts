import type { Answer } from '#machines/approvals/events.ts';

import { at, parsed, textAt } from './json-fields.ts';

/** What the page of the tab for questions reports; `id` is that of the question. */
export type TabMessage =
  /** Its script runs and takes a question. */
  | { readonly type: 'ready' }
  | { readonly type: 'seen'; readonly id: string; readonly visible: boolean }
  | { readonly type: 'pressed' | 'released' | 'touched'; readonly id: string }
  | { readonly type: 'answered'; readonly id: string; readonly answer: Answer };

/** Longest message that is parsed, in characters; the page sends fewer than 100. */
const MESSAGE_LIMIT = 200;
const ID = /^[0-9a-f]{32}$/;

const isAnswer = (value: unknown): value is Answer => value === 'hold' || value === 'deny' || value === 'ignore';

/** A message of the page; null if it is none. */
export function tabMessage(payload: string): TabMessage | null {
  const message = payload.length > MESSAGE_LIMIT ? undefined : parsed(payload);
  const type = textAt(16, message, 'type');
  if (type === 'ready') return { type };
  const id = textAt(33, message, 'id') ?? '';
  if (!ID.test(id)) return null;
  if (type === 'pressed' || type === 'released' || type === 'touched') return { type, id };
  const [visible, answer] = [at(message, 'visible'), at(message, 'answer')];
  if (type === 'seen' && typeof visible === 'boolean') return { type, id, visible };
  return type === 'answered' && isAnswer(answer) ? { type, id, answer } : null;
}
