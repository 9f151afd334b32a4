import { OpenAPIHono } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { createAdmission } from '#actors/approvals/admission.ts';
import { initialFacts } from '#machines/approvals/initial.ts';
import type { ApprovalRequest } from '#machines/approvals/events.ts';
import type { UploadedFile } from '#machines/http/events.ts';
import { json } from '#routes/kit/answer.ts';
import { declareIn } from '#routes/kit/declare.ts';
import { describeRoute, problemsOf, sharedRefusals } from '#routes/kit/describe.ts';
import { file } from '#routes/kit/download.ts';
import type { Env, RouteDeclaration, RouteSpec } from '#routes/kit/route-spec.ts';
import { fakeAdmission } from '#test/fakes/admission.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const Received = z.object({ bytes: z.number().int(), sha256: z.string() });
const restore = {
  operationId: 'putArchive',
  method: 'post',
  path: '/api/v1/archive',
  tag: 'panel',
  summary: 'Send an archive',
  description: 'Takes an archive.',
  guard: 'write',
  protects: 'PANEL_RESET',
  maxBodyBytes: 64 * 1024 * 1024,
  headers: () => z.object({ 'x-backup-passphrase': z.string().optional() }),
  body: () => ({
    reads: 'file',
    description: 'An archive.',
    types: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
  }),
  answers: () => ({ 200: json('Received.', Received), 201: file('The archive.', 'application/zip') }),
  problems: [],
} as const satisfies RouteDeclaration;

const upload: UploadedFile = { path: '/data/tmp/upload-1', bytes: 5, sha256: 'ab'.repeat(32) };
const passphrase = 'Marker-Passphrase-ö';
/** As a client sends it: its UTF-8 bytes. */
const sentPassphrase = Buffer.from(passphrase).toString('latin1');

function appWith(admission: Parameters<typeof declareIn>[2]['admission']) {
  const app = new Hono<Env>();
  const table: RouteSpec[] = [];
  const handled: { readonly body: UploadedFile; readonly words: string | undefined }[] = [];
  declareIn(app, table, { ...fakeDeps(), admission })(restore, ({ c, body, answer }) => {
    handled.push({ body, words: c.req.header('x-backup-passphrase') });
    return answer(200, { bytes: body.bytes, sha256: body.sha256 });
  });
  const send = (sent: UploadedFile | null, words = sentPassphrase): Promise<Response> =>
    Promise.resolve(
      app.fetch(
        new Request('http://panel.invalid/api/v1/archive', {
          method: 'POST',
          headers: { 'X-Backup-Passphrase': words },
        }),
        {
          peer: '192.0.2.9',
          incoming: { rawHeaders: ['Host', '192.0.2.5:8888'] },
          upload: sent,
        },
      ),
    );
  return { send, handled, table };
}

describe('a body that is received into a file', () => {
  it('reaches its handler as path, length and digest', async () => {
    const { send, handled } = appWith(fakeAdmission());
    const response = await send(upload);
    expect([response.status, await response.json()]).toEqual([200, { bytes: 5, sha256: upload.sha256 }]);
    expect(handled).toEqual([{ body: upload, words: sentPassphrase }]);
  });

  it.each([
    ['was not sent', null],
    ['is empty', { ...upload, bytes: 0 }],
  ])('is refused if it %s', async (_, sent) => {
    const { send, handled } = appWith(fakeAdmission());
    const response = await send(sent);
    expect([response.status, await response.json()]).toMatchObject([400, { ok: false, error: 'invalid-body' }]);
    expect(handled).toEqual([]);
  });

  it('is bound by its digest', async () => {
    const admission = fakeAdmission('hardened');
    const { send } = appWith(admission);
    await send(upload);
    await send({ ...upload, path: '/data/tmp/upload-2' });
    await send({ ...upload, sha256: 'cd'.repeat(32) });
    const bound = admission.asked.map(({ binds }) => binds);
    expect(JSON.parse(bound[0] ?? '')).toContain(`sha256:${upload.sha256}`);
    expect(bound[1]).toBe(bound[0]);
    expect(bound[2]).not.toBe(bound[0]);
  });

  describe('with a passphrase', () => {
    let requests: ApprovalRequest[];
    let events: string[];
    let deps: ReturnType<typeof fakeDeps>;
    beforeEach(() => {
      requests = [];
      events = [];
      deps = fakeDeps({}, { ...settledFacts(), approvals: { ...initialFacts, mode: 'hardened' } });
      deps.registry.answer = (_, event) => {
        events.push(JSON.stringify(event));
        if (event.type === 'approval.request')
          requests.push((event as unknown as { readonly request: ApprovalRequest }).request);
        return { ok: true, value: { status: 'pending', id: 'a'.repeat(32), place: { kind: 'screen' } } };
      };
    });

    it('binds that too, by a keyed digest alone', async () => {
      const { send } = appWith(createAdmission({ registry: deps.registry, elapsed: () => 5 }));
      const answers = [await send(upload), await send(upload), await send(upload, 'another one')];
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(requests).toHaveLength(3);
      expect(requests[1]?.digest).toBe(requests[0]?.digest);
      expect(requests[2]?.digest).not.toBe(requests[0]?.digest);
      const heads = answers.map(({ headers }) => JSON.stringify([...headers]));
      const shown = [...events, ...heads, ...(await Promise.all(answers.map((answer) => answer.text())))].join('\n');
      expect(shown).toContain(requests[0]?.digest);
      expect(shown).not.toMatch(/Marker|another one/);
    });
  });
});

describe('its route', () => {
  const { table } = appWith(fakeAdmission());
  const [spec] = table;
  if (spec === undefined) throw new Error('not declared');

  it('may be refused for want of space, while another file is received, and never for want of memory', () => {
    expect(problemsOf(spec)).toEqual(
      expect.arrayContaining(['invalid-body', 'no-space', 'upload-busy', 'request-timeout', 'request-too-large']),
    );
    expect(problemsOf(spec)).not.toContain('too-many-uploads');
  });

  it('is described with the bytes that it takes and gives', () => {
    const { openAPIRegistry } = new OpenAPIHono();
    describeRoute(openAPIRegistry, spec, sharedRefusals(openAPIRegistry), () => undefined);
    const described = openAPIRegistry.definitions.find(({ type }) => type === 'route');
    expect(described).toMatchObject({
      route: {
        request: { body: { required: true, content: { 'application/octet-stream': {} } } },
        responses: {
          201: { content: { 'application/zip': {} }, headers: { 'Content-Disposition': {} } },
          507: { $ref: '#/components/responses/r507.no-space' },
        },
      },
    });
  });
});
