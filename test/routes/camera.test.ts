import { describe, expect, test } from 'vitest';
import { cameraView } from '#machines/camera/view.ts';
import type { CameraScan } from '#machines/camera/events.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const ask = (facts: Record<string, unknown>, query = ''): Promise<Response> =>
  Promise.resolve(
    createApp(fakeDeps({}, facts)).fetch(new Request(`http://panel.invalid/api/v1/camera/snapshot.jpg${query}`), {}),
  );

describe('GET /api/v1/camera/snapshot.jpg', () => {
  test.each<[string, CameraScan | null]>([
    ['while the first look has not ended', null],
    ['without a camera', { found: 'none', detail: 'not_enumerated' }],
    ['of a profile without a camera', { found: 'none', detail: 'suppressed_by_profile' }],
    ['where the devices cannot be listed', { found: 'none', detail: 'undetermined' }],
    ['with a camera that this version cannot use', { found: 'devices', count: 1, refused: 0 }],
  ])('says why there is no picture %s', async (_, scan) => {
    const camera = cameraView(scan);
    const facts = { ...settledFacts(), camera: { camera } };
    for (const query of ['', '?res=720p']) {
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      const response = await ask(facts, query);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const body: unknown = await response.json();
      const { fault_detail, action } = camera;
      expect([response.status, body]).toMatchObject([404, { error: 'camera-unavailable', fault_detail, action }]);
      expect(Problem().parse(body).message).toContain(action);
    }
  });

  test('says so while the part of the camera is being restarted', async () => {
    const { camera: _, ...facts } = settledFacts();
    expect(await (await ask(facts)).json()).toMatchObject({ fault_detail: 'undetermined' });
  });

  test.each(['?res=9000p', '?res=', '?res=480p&res=480p', '?width=3'])('refuses the query %s', async (query) => {
    const response = await ask(settledFacts(), query);
    expect([response.status, Problem().parse(await response.json()).error]).toEqual([400, 'invalid-query']);
  });
});
