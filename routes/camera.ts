import { z } from 'zod';
import { type CameraHeight, cameraHeights, type CameraRefusal } from '#machines/camera-session/events.ts';
import { absentCamera, CameraStatus, status } from '#machines/camera/status.ts';
import type { CameraObject } from '#machines/camera/events.ts';
import { cameraRefusals } from '#machines/kit/camera.ts';
import { once } from '#machines/kit/once.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { bytes, json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { Problem, type Refusal, restarting } from '#routes/kit/problem.ts';
import { projectionInput } from '#routes/status/view-input.ts';

/** Heights of a picture that can be requested. */
const resolutions = ['480p', '720p', '1080p'] as const satisfies readonly (keyof typeof cameraHeights)[];

/**
 * Longest wait for a picture: opening the camera, its first frame, the exposure and one decoder; the session itself
 * answers earlier.
 */
const PICTURE_MS: Milliseconds = 15_000;

const error = 'camera-unavailable' satisfies CameraRefusal;

/** Why there is no picture, in the shape of every refusal and with the fields of the camera object. */
const NoSnapshot = once(() =>
  Problem()
    .extend({
      error: z.literal(error).meta({ description: 'This panel has no camera.' }),
      fault_detail: CameraStatus().shape.fault_detail,
      action: CameraStatus().shape.action,
    })
    .meta({ id: 'NoCameraSnapshot', description: 'Why there is no picture, as in the camera object.' }),
);
type NoSnapshot = z.infer<ReturnType<typeof NoSnapshot>>;

const words = ({ summary, action }: Pick<CameraObject, 'summary' | 'action'>): string =>
  action === 'none' ? summary : `${summary} ${action}`;

const noSnapshot = (camera: CameraObject): NoSnapshot => ({
  ok: false,
  error,
  message: words(camera),
  fault_detail: camera.fault_detail,
  action: camera.action,
});

type Refused = (typeof cameraRefusals)[number];

/** The refusal of a camera that is there. */
function refusedAs(camera: CameraObject, reason: Refused): Refusal<Refused> {
  const { fault_detail, action } = camera;
  return { ok: false, reason, message: words(camera), camera: { fault_detail, action } };
}

/** The camera object as of now, while the status document may be a second old. */
const readCamera = (deps: RouteDeps): CameraObject => status.view(projectionInput(deps)).camera;

export const cameraRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getCameraSnapshot',
      method: 'get',
      path: '/api/v1/camera/snapshot.jpg',
      tag: 'camera',
      summary: 'A picture of the camera, or why there is none',
      description:
        'The newest key frame. The camera is opened for it if no stream is running, and closed right after it; while it is open the panel shows a red square. All requests that wait share one picture. Served on every panel: without a picture `error` says why, `fault_detail` and `action` are those of the camera object.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          res: z
            .enum(resolutions)
            .optional()
            .meta({ description: 'Height of the picture; by default that of the stream. Nothing is enlarged.' }),
        }),
      answers: () => ({
        200: bytes('The picture.', 'image/jpeg'),
        404: json('There is no camera.', NoSnapshot(), { example: noSnapshot(absentCamera) }),
      }),
      // All 503; a panel without a camera answers 404.
      problems: [...cameraRefusals, 'restarting'],
    },
    async ({ query: { res }, answer }) => {
      const refused = (reason: CameraRefusal) => {
        const camera = readCamera(deps);
        return camera.state === 'absent' ? answer(404, noSnapshot(camera)) : refusedAs(camera, reason);
      };
      const height: CameraHeight | null = res === undefined ? null : cameraHeights[res];
      const asked = await deps.registry.ask(
        'camera-session',
        { type: 'camera.snapshot', height, at: deps.elapsed() },
        PICTURE_MS,
      );
      if (!asked.ok) {
        // Off, it does not run; otherwise it is being restarted.
        const { state, outcome } = readCamera(deps);
        if (state === 'absent' || state === 'disabled' || state === 'permission_needed')
          return refused(outcome === 'ok' ? error : outcome);
        return asked.reason === 'timeout' ? refused('camera-starved') : restarting('camera-session');
      }
      return asked.value.status === 'taken'
        ? answer(200, new Uint8Array(asked.value.jpeg))
        : refused(asked.value.refusal);
    },
  );
};
