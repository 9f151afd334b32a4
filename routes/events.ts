import { maxViewers } from '#machines/stream/events.ts';
import type { Family } from '#routes/kit/family.ts';
import { made } from '#routes/kit/answer.ts';
import { frame, liveStream } from '#routes/kit/live-stream.ts';
import { readStatus } from '#routes/status/read-status.ts';

/** Live data: the status document whenever something in it changed. */
export const eventRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'streamStatus',
      method: 'get',
      path: '/api/v1/events',
      tag: 'status',
      summary: 'Live status as server-sent events',
      description:
        'Event `status` carries the status document as JSON: at once, then whenever something in it changed, at most five times a second. A comment line `: ping` comes each 15 s.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: made('The stream.', 'text/event-stream', {
          example: 'event: status\ndata: {"state":"working","sentence":"Everything works."}\n\n: ping\n\n',
        }),
      },
      problems: ['too-many-viewers', 'restarting', 'stopping'],
    },
    ({ c, answer }) => {
      let sent: number | null = null;
      const stream = liveStream(c, deps, {
        actor: 'stream',
        joined: { type: 'stream.viewer-joined' },
        left: { type: 'stream.viewer-left' },
        maxViewers,
        next: () => {
          const revision = deps.registry.read('stream')?.context.revision ?? -1;
          if (revision === sent) return null;
          sent = revision;
          return frame('status', readStatus(deps));
        },
      });
      return stream instanceof Response ? answer(200, stream) : stream;
    },
  );
};
