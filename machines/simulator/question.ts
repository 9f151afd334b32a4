import { z } from 'zod';

import type { ApprovalsEvent } from '../approvals/events.ts';
import { once } from '../kit/once.ts';
import type { Milliseconds } from '../kit/units.ts';
import { flatTouchForms, touchForms, type SimulatorTouch, whatItWants } from './touch.ts';

/** What a person in front of a simulated panel answers or asks for; only its own machine may send it. */
const questionForms = once(
  () =>
    [
      z
        .strictObject({
          approval: z
            .string()
            .regex(/^[0-9a-f]{32}$/, { error: '"approval" must be the id of the question that is shown.' })
            .meta({ description: 'Id of the question that is shown.' }),
          answer: z
            .enum(['hold', 'deny', 'ignore'])
            .meta({ description: '`hold` approves; `ignore` denies, and ignores that device for an hour.' }),
        })
        .meta({ id: 'AnswerQuestion', description: 'Answers the question that is shown.' }),
      z
        .strictObject({ security_mode: z.enum(['hardened', 'relaxed']).meta({ description: 'The mode to ask for.' }) })
        .meta({ id: 'AskMode', description: 'Asks to switch the security mode.' }),
      z
        .strictObject({ questions: z.literal('show').meta({ description: '`show` shows again what waits.' }) })
        .meta({ id: 'ShowQuestions', description: 'Shows the questions that were left untouched.' }),
    ] as const,
);
type QuestionTouch = z.infer<ReturnType<typeof questionForms>[number]>;

/** Everything that can be done to the simulated panel: exactly one form at a time. */
export const simulatorRequest = once(() =>
  z
    .union([...touchForms(), ...questionForms()], { error: ({ input }) => whatItWants(input) })
    .meta({ id: 'SimulatorTouch', description: 'One touch of the simulated panel.' }),
);

/** The same as an HTML form can send it. */
export const simulatorRequestForm = once(() =>
  z
    .union([...flatTouchForms(), ...questionForms()])
    .meta({ id: 'SimulatorForm', description: 'A touch as a form says it.' }),
);

/** True if it is for the questions at the panel, not for its hardware. */
export const isOfQuestions = (touch: SimulatorTouch | QuestionTouch): touch is QuestionTouch =>
  'approval' in touch || 'security_mode' in touch || 'questions' in touch;

/** The event for the approvals; `at` is of the monotonic clock. */
export function decideQuestion(
  touch: QuestionTouch,
  at: Milliseconds,
): Extract<ApprovalsEvent, { readonly type: 'approval.answer' | 'mode.wanted' | 'questions.wanted' }> {
  if ('approval' in touch) return { type: 'approval.answer', id: touch.approval, answer: touch.answer, at };
  if ('security_mode' in touch) return { type: 'mode.wanted', mode: touch.security_mode, at };
  return { type: 'questions.wanted', at };
}
