import { describe, expect, test } from 'vitest';
import type { AskOutcome } from '#actors/kit/registry.ts';
import type { CameraScan } from '#machines/camera/events.ts';
import type { CameraRefusal, SnapshotOutcome } from '#machines/camera-session/events.ts';
import { closedSession } from '#machines/camera-session/off.ts';
import { httpStatusOf } from '#machines/problems.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const oneCamera: CameraScan = { found: 'devices', count: 1, refused: 0, chosen: 'HD Webcam' };
const path = '/api/v1/camera/snapshot.jpg';

interface Panel {
  readonly scan?: CameraScan | null;
  /** Absent while the camera is off. */
  readonly session?: 'runs' | 'restarts' | 'is off';
  readonly answer?: AskOutcome<SnapshotOutcome>;
}

function panelWith({ scan = oneCamera, session = 'runs', answer = { ok: false, reason: 'absent' } }: Panel = {}) {
  const { settings, ...others } = settledFacts() as { readonly settings: { readonly values: object } };
  const deps = fakeDeps(
    {},
    {
      ...others,
      settings: { ...settings, values: { ...settings.values, camera_enabled: session !== 'is off' } },
      camera: { scan, user: null, isEnabled: session !== 'is off', session: null },
      ...(session === 'runs' && { 'camera-session': { ...closedSession, streamPort: 8554 } }),
    },
  );
  if (session === 'runs') deps.registry.put('camera-session', { ...closedSession, streamPort: 8554 }, 'idle');
  deps.registry.answer = () => answer;
  const app = createApp(deps);
  return {
    told: deps.registry.told,
    ask: (query = '', init: RequestInit = {}): Promise<Response> =>
      Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}${query}`, init), {})),
    isActive: app.isActiveGet(path, ''),
  };
}

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
const taken = { ok: true, value: { status: 'taken', jpeg } } as const;
const refused = (refusal: CameraRefusal) => ({ ok: true, value: { status: 'refused', refusal } }) as const;

describe('GET /api/v1/camera/snapshot.jpg', () => {
  test.each<[string, number | null]>([
    ['', null],
    ['?res=480p', 480],
    ['?res=720p', 720],
    ['?res=1080p', 1080],
  ])('gives the picture that the session takes: %s', async (query, height) => {
    const { ask, told } = panelWith({ answer: taken });
    const response = await ask(query);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(jpeg);
    expect(told).toMatchObject([{ id: 'camera-session', event: { type: 'camera.snapshot', height } }]);
  });

  test.each<CameraRefusal>([
    'camera-unavailable',
    'camera-permission-needed',
    'camera-indication-unavailable',
    'camera-foreground-refused',
    'camera-starved',
    'camera-encode-failed',
    'camera-stream-encoder-unavailable',
    'camera-stopping',
    'camera-busy',
  ])('says why the session took none: %s', async (refusal) => {
    const response = await panelWith({ answer: refused(refusal) }).ask();
    const body = Problem().parse(await response.json());
    expect([response.status, body.error, response.headers.get('retry-after')]).toEqual([503, refusal, '5']);
    expect(httpStatusOf[refusal]).toBe(503);
    expect(body).toMatchObject({ fault_detail: null, action: expect.any(String) });
  });

  test.each<[string, CameraScan | null]>([
    ['while the first scan has not ended', null],
    ['without a camera', { found: 'none', detail: 'not_enumerated' }],
    ['of a profile without a camera', { found: 'none', detail: 'suppressed_by_profile' }],
    ['where the devices cannot be listed', { found: 'none', detail: 'undetermined' }],
  ])('says why there is no camera %s', async (_, scan) => {
    const response = await panelWith({ scan, session: 'is off' }).ask('?res=720p');
    const body = Problem().parse(await response.json());
    expect([response.status, body.error]).toEqual([404, 'camera-unavailable']);
    expect(body.message).toContain(body.action);
    expect(body.fault_detail).toBe(scan?.found === 'none' ? scan.detail : 'undetermined');
  });

  test('says that it is off, and opens nothing', async () => {
    const { ask } = panelWith({ session: 'is off' });
    const response = await ask();
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'camera-disabled' }]);
  });

  test('says that the session is being restarted', async () => {
    const response = await panelWith({ session: 'restarts' }).ask();
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'restarting' }]);
  });

  test('says that no frame came in time', async () => {
    const response = await panelWith({ answer: { ok: false, reason: 'timeout' } }).ask();
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'camera-starved' }]);
  });

  test('is guarded like a write, and a HEAD opens nothing', async () => {
    const { ask, told, isActive } = panelWith({ answer: taken });
    expect(isActive).toBe(true);
    expect((await ask('', { method: 'HEAD' })).status).toBe(200);
    expect(told).toEqual([]);
  });

  test.each(['?res=9000p', '?res=', '?res=480p&res=480p', '?width=3'])('refuses the query %s', async (query) => {
    const { ask, told } = panelWith({ answer: taken });
    const response = await ask(query);
    expect([response.status, Problem().parse(await response.json()).error]).toEqual([400, 'invalid-query']);
    expect(told).toEqual([]);
  });
});
