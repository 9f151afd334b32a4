import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { ApprovalId, restarting } from '#routes/kit/problem.ts';
import { peerOf } from '#routes/kit/raw-request.ts';

/** Longest wait for the approvals, in milliseconds: they only look at their list. */
const lookMs = 2000;

const Approval = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'The request is known.' }),
      id: ApprovalId().meta({ description: 'Its id.' }),
      state: z.enum(['pending', 'approved', 'absent']).meta({
        description:
          '`pending`: it waits for a person. `approved`: send the same request again. `absent`: it was denied, used, or is over.',
      }),
    })
    .meta({ id: 'Approval', description: 'A request that needs a person at the panel.' }),
);

/** What became of a request that waits for a person; only its own peer is told. */
export const approvalRoutes: Family = ({ declare, deps }) => {
  const unknown = {
    code: 'not-found',
    message: 'No request of yours with this id waits for a person. Send the request itself.',
  } as const;
  declare(
    {
      operationId: 'getApproval',
      method: 'get',
      path: '/api/v1/approvals/{id}',
      tag: 'approvals',
      summary: 'State of a request that waits for a person',
      description:
        'A protected request in Hardened mode is answered with 202 `approval-required` and an `approval_id`. A person approves it at the panel; then the same request from the same address, within ten minutes of the first, is carried out, once. Only that address is told its state.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      params: () => z.strictObject({ id: ApprovalId().meta({ description: '`approval_id` of the answer.' }) }),
      unknown,
      answers: () => ({
        200: json('Its state.', Approval(), { example: { ok: true, id: 'a'.repeat(32), state: 'pending' } }),
      }),
      problems: ['not-found', 'restarting'],
    },
    async ({ c, params: { id }, answer }) => {
      const event = { type: 'approval.look' as const, id, peer: peerOf(c), at: deps.elapsed() };
      const asked = await deps.registry.ask('approvals', event, lookMs);
      if (!asked.ok) return restarting('approvals');
      // An id of another peer is answered like one that never was.
      return asked.value === null
        ? refuse(unknown.code, unknown.message)
        : answer(200, { ok: true, id, state: asked.value });
    },
  );
};
