import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Hono } from 'hono';
import { createActor } from 'xstate';
import { z } from 'zod';

import { httpSpec } from '#actors/http.ts';
import { httpListener } from '#drivers/http/listener.ts';
import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { admit } from '#machines/http/admission.ts';
import { isLanPeer } from '#machines/http/lan-peer.ts';
import { json } from '#routes/kit/answer.ts';
import { declareIn } from '#routes/kit/declare.ts';
import { download, file } from '#routes/kit/download.ts';
import type { Env, RouteSpec } from '#routes/kit/route-spec.ts';

// The real listener in front of routes that take a file and send one: files-alone PORT FOLDER RESERVE. A body with
// `fail` in its query meets a failure.
const [, , port = '', folder = '', reserve = ''] = process.argv;
const tmp = join(folder, 'tmp');
const mostBytes = 64 * 1024 * 1024;

const app = new Hono<Env>();
app.onError((_, c) => c.json({ ok: false, error: 'internal', message: 'failed' }, 500));
const table: RouteSpec[] = [];
const declare = declareIn(app, table, {
  base: { known: () => ({ panelId: 'hall', digest: '00000000' }), whenKnown: async () => true },
  parts: { areStarted: () => true, whenStarted: async () => {} },
  admission: { asks: () => false, admit: () => ({ ok: true }), admitClosed: () => ({ ok: true }) },
  verifyAnswers: true,
});
let sent = 0;
const common = { tag: 'panel', summary: 'A file', description: 'A file.', protects: null, problems: [] } as const;
declare(
  {
    ...common,
    operationId: 'putFile',
    method: 'post',
    path: '/api/v1/file',
    guard: 'write',
    maxBodyBytes: mostBytes,
    query: () => z.object({ fail: z.string().optional() }),
    body: () => ({
      reads: 'file',
      description: 'Any bytes.',
      types: { 'application/octet-stream': { schema: z.string() } },
    }),
    answers: () => ({ 200: json('Received.', z.object({ bytes: z.number(), sha256: z.string() })) }),
  },
  ({ body, query, answer }) => {
    if (query.fail !== undefined) throw new Error('failed');
    return answer(200, { bytes: body.bytes, sha256: body.sha256 });
  },
);
declare(
  {
    ...common,
    operationId: 'getFile',
    method: 'get',
    path: '/api/v1/file',
    guard: 'active',
    maxBodyBytes: 0,
    answers: () => ({ 200: file('As many bytes as may be received.', 'application/octet-stream') }),
  },
  ({ answer }) => {
    sent += 1;
    const path = join(tmp, `archive-${sent}`);
    writeFileSync(path, '');
    truncateSync(path, mostBytes);
    return answer(200, download({ path, bytes: mostBytes, name: 'a.hpb', type: 'application/zip', removes: true }));
  },
);

const { logic, input } = httpSpec({
  listener: httpListener({
    checks: { admit, isLanPeer },
    fetch: (request, bindings) => app.fetch(request, bindings),
    early: (_, path) =>
      path === '/health' ? { status: 200, head: ['Content-Type', 'text/plain'], text: 'sconce alone\n' } : null,
    allowedHosts: () => [],
    activeGets: () => true,
    maxBodyBytes: (method) => (method === 'GET' ? 0 : mostBytes),
    uploads: { folder: tmp, isFor: (_, path) => path === '/api/v1/file' },
    bounds: { reserveBytes: Number(reserve) },
    onHandlerFailure: (code) => process.stdout.write(`failure ${code}\n`),
  }),
  port: Number(port),
});
const actor = createActor(logic, { input: input?.() });
actor.subscribe(({ context }) => {
  if (context.port > 0) process.stdout.write(`listening ${context.port}\n`);
});
actor.start();
process.on('SIGTERM', () => {
  actor.send({ type: 'http.stop' });
  void cleanupsOf(actor.system)
    .settled()
    .then(() => process.exit(0));
});
