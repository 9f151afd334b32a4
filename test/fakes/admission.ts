import type { Admission, Admitted, AnsweredAtPanel, NotAdmitted, Wanted } from '#actors/kit/admission.ts';
import type { SecurityMode } from '#machines/approvals/events.ts';

/** A refusal that waits for a person. */
export const waits: NotAdmitted = {
  ok: false,
  reason: 'approval-required',
  message: 'Approve it at the panel, then send the same request again within ten minutes.',
  approvalId: 'a'.repeat(32),
};

/** An admission that notes what it is asked; `answer` decides. */
export interface FakeAdmission extends Admission {
  readonly asked: readonly Wanted[];
  answer: (wanted: Wanted) => Admitted | Promise<Admitted>;
  answered: (id: string) => Promise<AnsweredAtPanel>;
}

/** Makes one that admits everything at once until it is told otherwise, in this mode. */
export function fakeAdmission(mode: SecurityMode = 'relaxed'): FakeAdmission {
  const asked: Wanted[] = [];
  const fake: FakeAdmission = {
    asked,
    mode: () => mode,
    asks: () => true,
    admit: (wanted) => {
      asked.push(wanted);
      return fake.answer(wanted);
    },
    answer: () => ({ ok: true }),
    answered: () => Promise.resolve('pending'),
    whenAnswered: ({ id }) => fake.answered(id),
    admitClosed: ({ closed, message }) => (mode === 'relaxed' ? { ok: true } : { ok: false, reason: closed, message }),
    end: () => {},
  };
  return fake;
}
