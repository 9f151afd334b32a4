import { installStatus, InstallStatus } from '#machines/maintenance/document.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';

/** The operation that runs, of which there is one at most, or the last one. */
export const installStatusRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getInstallStatus',
      method: 'get',
      path: '/api/v1/install/status',
      tag: 'configuration',
      summary: 'The running operation, or the last one',
      description:
        'Imports, backups, restores, resets and changes of the profile run one at a time; another one is refused with 409 `operation-busy`. The last result stays readable, also after a restart: one that was interrupted has failed.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The operation and its result.', InstallStatus(), {
          example: {
            running: false,
            component: 'Backup',
            message: 'A backup was made.',
            kind: 'backup',
            ordered: false,
            started_at: 1_795_352_771_000,
            ended_at: 1_795_352_777_000,
            result: { status: 'succeeded' },
          },
        }),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const maintenance = deps.registry.read('maintenance')?.context;
      return maintenance === undefined ? restarting('maintenance') : answer(200, installStatus(maintenance));
    },
  );
};
