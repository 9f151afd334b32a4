import { z } from 'zod';
import { absentCamera, CameraStatus } from '#machines/camera/status.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { Problem } from '#routes/kit/problem.ts';
import { once } from '#machines/kit/once.ts';

/** Heights of a picture that can be requested. */
const resolutions = ['480p', '720p', '1080p'] as const;

const error = 'camera-unavailable';

/** Why there is no picture, in the shape of every refusal and with the fields of the camera object. */
const NoSnapshot = once(() =>
  Problem()
    .extend({
      error: z.literal(error).meta({ description: 'No picture can be taken now.' }),
      fault_detail: CameraStatus().shape.fault_detail,
      action: CameraStatus().shape.action,
    })
    .meta({ id: 'NoCameraSnapshot', description: 'Why there is no picture, as in the camera object.' }),
);

const example = {
  ok: false,
  error,
  message: `${absentCamera.summary} ${absentCamera.action}`,
  fault_detail: absentCamera.fault_detail,
  action: absentCamera.action,
} as const;

export const cameraRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getCameraSnapshot',
      method: 'get',
      path: '/api/v1/camera/snapshot.jpg',
      tag: 'camera',
      summary: 'A picture of the camera, or why there is none',
      description:
        'Served on every panel. This version takes no pictures: `fault_detail` says why and `action` what would change that, as in the camera object. The request never opens the camera.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          res: z
            .enum(resolutions)
            .optional()
            .meta({ description: 'Height of the picture; by default that of the profile.' }),
        }),
      answers: () => ({ 404: json('There is no camera that this version can use.', NoSnapshot(), { example }) }),
      problems: [],
    },
    ({ answer }) => {
      const { summary, fault_detail, action } = deps.registry.read('camera')?.context.camera ?? absentCamera;
      return answer(404, { ok: false, error, message: `${summary} ${action}`, fault_detail, action });
    },
  );
};
