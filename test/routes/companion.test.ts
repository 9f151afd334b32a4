import { describe, expect, test } from 'vitest';

import type { AskOutcome } from '#actors/kit/registry.ts';
import type { CompanionContext, KeysOutcome } from '#machines/companion/events.ts';
import { moveCodes, type MoveOutcome } from '#machines/companion/move.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const clientId = '0123456789abcdef0123456789abcdef';
const keyId = '0011223344556677';
const session = {
  session: 3,
  keyId,
  client: { clientId, name: 'Marker Home', version: '2026.11.0', integration: '0.1.0' },
  openedAt: 1_699_999_000_000,
  phase: 'running',
} as const;

interface Panel {
  readonly facts?: Partial<CompanionContext> | 'absent';
  readonly answer?: AskOutcome<unknown>;
  readonly more?: Partial<RouteDeps>;
}

function panelWith({ facts = {}, answer = { ok: true, value: { status: 'done' } }, more = {} }: Panel = {}) {
  const settled = settledFacts();
  const deps = fakeDeps(more, settled);
  const { registry } = deps;
  const own = settled['companion'] as CompanionContext;
  registry.put('companion', facts === 'absent' ? undefined : { ...own, ...facts });
  registry.answer = () => answer;
  const app = createApp(deps);
  const call = async (path: string, body?: object): Promise<Response> =>
    app.fetch(
      new Request(`http://panel.invalid/api/v1/companion${path}`, {
        ...(body !== undefined && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
      {},
    );
  return {
    told: registry.told,
    call,
    ask: async (path: string, body?: object) => {
      const response = await call(path, body);
      const answered = (await response.json()) as Readonly<Record<string, unknown>>;
      if (response.status >= 400) Problem().parse(answered);
      return { status: response.status, body: answered };
    },
  };
}

describe('GET /api/v1/companion', () => {
  test('lists those that are paired, without a key or an id of a Home Assistant', async () => {
    const { status, body } = await panelWith().ask('');
    expect([status, body]).toEqual([
      200,
      {
        surface: 'mqtt',
        pairing: { state: 'none' },
        clients: [
          {
            key_id: keyId,
            name: 'Marker Home',
            version: null,
            paired_at: 1_699_000_000_000,
            used_at: 1_699_999_000_000,
            connected: false,
            phase: null,
          },
        ],
        moving: null,
        stays: [],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(clientId);
  });

  test('tells who is connected, and that digits wait', async () => {
    const pairing = { pairing: 1, name: 'Other', isConfirmed: false };
    const { body } = await panelWith({ facts: { sessions: [session], pairing } }).ask('');
    expect(body).toMatchObject({
      pairing: { state: 'asking' },
      clients: [{ connected: true, version: '2026.11.0', phase: 'running' }],
    });
    const confirmed = await panelWith({ facts: { pairing: { ...pairing, isConfirmed: true } } }).ask('');
    expect(confirmed.body).toMatchObject({ pairing: { state: 'confirmed' } });
  });

  test.each([['absent'], [{ clients: null }]] as const)('503 until the keys were read: %j', async (facts) => {
    const { status, body } = await panelWith({ facts }).ask('');
    expect([status, body['error']]).toEqual([503, 'restarting']);
  });
});

describe('POST /api/v1/companion/revoke', () => {
  test('ends the pairing', async () => {
    const panel = panelWith();
    expect(await panel.ask('/revoke', { key_id: keyId })).toEqual({ status: 200, body: { ok: true } });
  });

  test.each<[string, Panel, number, string]>([
    [
      'a key that no one has',
      { answer: { ok: true, value: { status: 'unknown' } satisfies KeysOutcome } },
      404,
      'not-paired',
    ],
    [
      'a disk that refuses it',
      { answer: { ok: true, value: { status: 'failed', code: 'ENOSPC' } satisfies KeysOutcome } },
      500,
      'commit-failed',
    ],
    [
      'keys that were not read yet',
      { answer: { ok: true, value: { status: 'failed', code: 'not-read-yet' } satisfies KeysOutcome } },
      503,
      'restarting',
    ],
    ['a part that restarts', { facts: 'absent', answer: { ok: false, reason: 'absent' } }, 503, 'restarting'],
    ['an agent that stops', { more: { stopping: () => true } }, 503, 'stopping'],
  ])('refuses %s', async (_, panel, status, error) => {
    const answered = await panelWith(panel).ask('/revoke', { key_id: keyId });
    expect([answered.status, answered.body['error']]).toEqual([status, error]);
  });

  test('does not ask a person about a key that is not there', async () => {
    const asked: string[] = [];
    const admission: RouteDeps['admission'] = {
      asks: () => true,
      admit: ({ operation, what }) => {
        asked.push(`${operation} ${what}`);
        return { ok: true };
      },
      admitClosed: () => ({ ok: true }),
    };
    await panelWith({ more: { admission } }).ask('/revoke', { key_id: 'f'.repeat(16) });
    expect(asked).toEqual([]);
    await panelWith({ more: { admission } }).ask('/revoke', { key_id: keyId });
    expect(asked).toEqual(['TRANSPORT_RELEASE Marker Home']);
  });
});

describe('POST /api/v1/companion/move', () => {
  const list = { entities: 2, automations: ['Wake the hall'], scripts: [] };
  const withOutcome = (value: MoveOutcome): Panel => ({ answer: { ok: true, value } });

  test.each<[MoveOutcome, object]>([
    [{ status: 'unchanged' }, { status: 'unchanged', list: null, applied: null, stays: [], notes: [] }],
    [
      { status: 'preview', to: 'native', list, notes: ['A note.'] },
      { status: 'preview', list, applied: null, stays: [], notes: ['A note.'] },
    ],
    [
      { status: 'moved', to: 'native', list: null, applied: false, stays: ['a/b/c/config'], notes: [] },
      { status: 'moved', list: null, applied: false, stays: ['a/b/c/config'], notes: [] },
    ],
  ])('tells what happened: $status', async (outcome, told) => {
    const { status, body } = await panelWith(withOutcome(outcome)).ask('/move', { to: 'native', dry_run: true });
    expect([status, body]).toEqual([200, { ok: true, to: 'native', ...told }]);
  });

  test('passes on what was asked for', async () => {
    const { registry, ...deps } = fakeDeps();
    const asked: unknown[] = [];
    registry.answer = (_, event) => {
      asked.push(event);
      return { ok: true, value: { status: 'unchanged' } };
    };
    const app = createApp({ ...deps, registry });
    const body = JSON.stringify({ to: 'mqtt', leave: true });
    const headers = { 'content-type': 'application/json' };
    await app.fetch(new Request('http://panel.invalid/api/v1/companion/move', { method: 'POST', headers, body }), {});
    expect(asked).toMatchObject([{ type: 'companion.move', to: 'mqtt', dryRun: false, leave: true }]);
  });

  test.each(moveCodes)('refuses with a code of the document: %s', async (code) => {
    const refused = { status: 'refused', code, message: 'It is so.', topics: ['a/b'] } as const;
    const { status, body } = await panelWith(withOutcome(refused)).ask('/move', { to: 'mqtt' });
    const [own, http] = { 'not-known-yet': ['restarting', 503], 'not-saved': ['commit-failed', 500] }[
      code as 'not-saved'
    ] ?? [code === 'denied' ? 'move-denied' : code, code === 'stopping' ? 503 : 409];
    expect([status, body['error']]).toEqual([http, own]);
    if (code === 'broker-away') expect(body['message']).toBe('It is so. What would stay: a/b.');
  });

  test('asks a person about a move, not about a look at it', async () => {
    const asked: string[] = [];
    const admission: RouteDeps['admission'] = {
      asks: () => true,
      admit: ({ operation, what }) => {
        asked.push(`${operation} ${what}`);
        return { ok: true };
      },
      admitClosed: () => ({ ok: true }),
    };
    const panel = panelWith({ ...withOutcome({ status: 'unchanged' }), more: { admission } });
    await panel.ask('/move', { to: 'native', dry_run: true });
    expect(asked).toEqual([]);
    await panel.ask('/move', { to: 'mqtt' });
    expect(asked).toEqual(['TRANSPORT_RELEASE Through the broker']);
  });
});

describe('GET /api/v1/companion/integration.zip', () => {
  test('is the archive of the build, to be saved', async () => {
    const response = await panelWith().call('/integration.zip');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/zip',
      'PK',
    ]);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="sconce.zip"');
  });

  test('says so where there is no build', async () => {
    const { status, body } = await panelWith({ more: { assets: new Map() } }).ask('/integration.zip');
    expect([status, body['error']]).toEqual([409, 'not-here']);
  });
});
