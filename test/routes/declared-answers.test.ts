import { Hono } from 'hono';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { createApp } from '#routes/app.ts';
import { bytes, json, jsonText, text, textOrJson } from '#routes/kit/answer.ts';
import { AnswerMismatch, declareIn } from '#routes/kit/declare.ts';
import { closedSession } from '#machines/camera-session/off.ts';
import { Problem } from '#routes/kit/problem.ts';
import type { Answered, Env, RouteDeclaration } from '#routes/kit/route-spec.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const Rung = z.object({ rings: z.number().int() });
const answers = () => ({
  200: json('Rung.', Rung),
  201: jsonText('Rung, as text.', Rung),
  202: textOrJson('Rung, either way.', 'text/csv', Rung),
  203: text('A word.', { headers: { 'Content-Location': 'Where.' } }),
  206: bytes('A sound.', 'audio/wav'),
});
const bell = {
  operationId: 'ring',
  method: 'get',
  path: '/bell',
  tag: 'panel',
  summary: 'Ring',
  description: 'Rings.',
  guard: 'ordinary',
  protects: null,
  maxBodyBytes: 0,
  answers,
  problems: ['restarting'],
} as const satisfies RouteDeclaration;

type Give = (status: number, value: unknown, headers?: Readonly<Record<string, string>>) => Answered;

/** Asks a route whose handler may give anything; what became of it, and what failed inside. */
async function ring(
  verifying: boolean,
  handler: (give: Give) => Answered,
): Promise<{ readonly response: Response; readonly failure: unknown }> {
  const app = new Hono<Env>();
  let failure: unknown = null;
  app.onError((thrown, c) => {
    failure = thrown;
    return c.text('failed', 500);
  });
  // A handler that lies does not compile; here it is made to.
  declareIn(app, [], { ...fakeDeps(), verifyAnswers: verifying })(bell, ({ answer }) =>
    handler(answer as unknown as Give),
  );
  return { response: await app.request('/bell'), failure };
}

describe('an answer that is checked', () => {
  it.each<[string, number, unknown, unknown]>([
    ['another type', 200, { rings: 'one' }, ['rings']],
    ['a missing field', 200, {}, ['rings']],
    ['what JSON leaves out', 200, { rings: undefined }, ['rings']],
    ['what JSON cannot say', 200, { rings: Number.NaN }, ['rings']],
    ['a document kept as text', 201, '{"rings":true}', ['rings']],
    ['the second of two forms', 202, { rings: 1.5 }, ['rings']],
  ])('is a failure where it does not fit: %s', async (_, status, value, path) => {
    const { response, failure } = await ring(true, (give) => give(status, value));
    expect(response.status).toBe(500);
    expect(failure).toBeInstanceOf(AnswerMismatch);
    const { message, cause } = failure as AnswerMismatch;
    expect(message).toContain(`ring answered ${status}`);
    expect((cause as z.ZodError).issues.map((issue) => issue.path)).toEqual([path]);
  });

  it.each<[number, unknown, string]>([
    [200, { rings: 1 }, '{"rings":1}'],
    [201, '{"rings":1}', '{"rings":1}'],
    [202, 'rings\r\n1\r\n', 'rings\r\n1\r\n'],
    [202, { rings: 1 }, '{"rings":1}'],
    [203, 'ding', 'ding'],
    [206, new Uint8Array([100]), 'd'],
  ])('is sent where it fits: %i %j', async (status, value, body) => {
    const { response, failure } = await ring(true, (give) => give(status, value, { 'Content-Location': '/b' }));
    expect([failure, response.status, await response.text()]).toEqual([null, status, body]);
    const { type, also } = { also: undefined, ...answers()[status as keyof ReturnType<typeof answers>] };
    expect([type, also?.type]).toContain(response.headers.get('content-type'));
  });

  it('is a failure with a status that is not declared, whether it is checked or not', async () => {
    for (const verifying of [true, false]) {
      // oxlint-disable-next-line no-await-in-loop -- one way after another
      const { response, failure } = await ring(verifying, (give) => give(418, {}));
      expect([response.status, failure instanceof AnswerMismatch]).toEqual([500, true]);
    }
  });

  it('is not looked at outside of tests', async () => {
    const { response } = await ring(false, (give) => give(200, { rings: 'one' }));
    expect([response.status, await response.json()]).toEqual([200, { rings: 'one' }]);
  });
});

it('a mistake of the agent is 500 internal, is reported, and says nothing of itself', async () => {
  // A count that is no number: its schema refuses it.
  const session = { ...closedSession, failures: 'marker' };
  const scan = { found: 'devices', count: 1, refused: 0, chosen: null };
  const camera = { scan, user: null, isEnabled: true, session: null };
  const facts = { ...settledFacts(), camera };
  const reported: unknown[] = [];
  const depsOf = (verifyAnswers: boolean): ReturnType<typeof fakeDeps> => {
    const deps = fakeDeps({ verifyAnswers, report: (failure) => reported.push(failure) }, facts);
    deps.registry.put('camera-session', session, 'idle');
    return deps;
  };
  const ask = (verifyAnswers: boolean): Response | Promise<Response> =>
    createApp(depsOf(verifyAnswers)).fetch(new Request('http://panel.invalid/api/v1/camera/status'), {});
  const refused = await ask(true);
  const body = await refused.text();
  expect([refused.status, Problem().parse(JSON.parse(body)).error]).toEqual([500, 'internal']);
  expect(body).not.toMatch(/marker|camera|schema/i);
  expect(reported).toHaveLength(1);
  expect(reported[0]).toBeInstanceOf(AnswerMismatch);
  expect((await ask(false)).status).toBe(200);
});
