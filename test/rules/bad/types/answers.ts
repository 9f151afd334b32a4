import { z } from 'zod';

import { refuse } from '#machines/kit/result.ts';
import { json, text } from '#routes/kit/answer.ts';
import type { Declare } from '#routes/kit/declare.ts';
import type { RouteDeclaration } from '#routes/kit/route-spec.ts';

const bell = {
  operationId: 'ringBell',
  method: 'post',
  path: '/api/v1/bells/{bell}',
  tag: 'panel',
  summary: 'Ring',
  description: 'Rings a bell.',
  guard: 'write',
  protects: null,
  maxBodyBytes: 16,
  params: () => z.strictObject({ bell: z.string() }),
  query: () => z.strictObject({ loud: z.boolean().optional() }),
  body: () => ({
    description: 'How often.',
    schema: z.strictObject({ times: z.number().int() }),
    refusal: { code: 'bad-value' },
  }),
  answers: () => ({
    200: json('Rung.', z.object({ rings: z.number() })),
    202: text('Later.', { headers: { 'Content-Location': 'Where to ask.' } }),
  }),
  problems: ['restarting'],
} as const satisfies RouteDeclaration;

const bellBy = <const R extends 'not-here' | 'restarting'>(reason: R) =>
  ({ ...bell, check: () => refuse(reason, 'Not now.') }) as const;
const asking = { ...bell, protects: ({ body }: { readonly body: { readonly times: number } }) =>
    body.times > 3 ? ('REMOTE_MEDIA' as const) : null } as const;
const misread = { ...bell, check: ({ body }: { readonly body: { readonly often: number } }) =>
    body.often > 3 ? refuse('restarting', 'Not now.') : null } as const;

/** A route without anything to parse. */
const { params, query, body, ...bare } = bell;
export const parsed = [params, query, body];

const where = { 'Content-Location': '/bell' };

export const ring = (declare: Declare): void => {
  declare(bell, ({ answer }) => answer(200, { rings: 1 }));
  declare(bell, ({ answer }) => answer(202, 'later', where));
  declare(bell, () => refuse('restarting', 'The bell is being restarted.'));
  declare(bell, () => refuse('bad-value', 'The bell cannot ring so often.'));
  declare(bell, ({ answer, body, query }) => answer(200, { rings: query.loud === true ? body.times : 0 }));

  // An answer is what its schema describes.
  declare(bell, ({ answer }) => answer(200, { rings: 'one' })); // refused: no number
  declare(bell, ({ answer }) => answer(200, {})); // refused: a field is missing
  declare(bell, ({ answer }) => answer(200, { rings: 1, by: 'hand' })); // refused: a field too many
  declare(bell, ({ answer }) => answer(202, { rings: 1 }, where)); // refused: no text
  declare(bell, ({ answer }) => answer(201, { rings: 1 })); // refused: no such status
  declare(bell, ({ answer }) => answer(202, 'later')); // refused: a header is missing
  declare(bell, ({ answer }) => answer(202, 'later', { Allow: 'GET' })); // refused: another header
  declare(bell, () => new Response('rung')); // refused: nothing that `answer` made
  declare(bell, () => {}); // refused: no answer at all

  // A refusal is a declared one.
  declare(bell, () => refuse('not-here', 'There is no bell.')); // refused: a code that is not declared
  declare(bell, () => refuse('no-such-code', 'There is no bell.')); // refused: no code at all

  // Its functions fit its schemas, and a function that protects names its operations.
  declare(bellBy('restarting'), ({ answer }) => answer(200, { rings: 1 }));
  declare({ ...asking, operations: ['REMOTE_MEDIA'] }, ({ answer }) => answer(200, { rings: 1 }));
  declare(bellBy('not-here'), ({ answer }) => answer(200, { rings: 1 })); // refused: a code that is not declared
  declare(asking, ({ answer }) => answer(200, { rings: 1 })); // refused: no operation is named
  declare(misread, ({ answer }) => answer(200, { rings: 1 })); // refused: no such field
  declare({ ...bell, protects: 'NO_SUCH' }, ({ answer }) => answer(200, { rings: 1 })); // refused: no operation

  // What is given is what the schemas take.
  declare(bell, ({ answer, body }) => answer(200, { rings: body.often })); // refused: no such field
  declare(bell, ({ answer, params }) => answer(200, { rings: params.bell })); // refused: text, and no number
  declare(bell, ({ answer, query }) => answer(200, { rings: query.loud })); // refused: yes or no, and no number
  declare(bare, ({ answer, body }) => answer(200, { rings: body.times })); // refused: nothing is read
};
