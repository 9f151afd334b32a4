import { z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import { maxViewers, type StreamContext } from '#machines/stream/events.ts';
import type { Family } from '#routes/kit/family.ts';
import { problem, restarting } from '#routes/kit/problem.ts';
import { readStatus } from '#routes/status/read-status.ts';

/** How often a quiet stream says that it is alive, in milliseconds (api-facts 1.6). */
const pingMs = 15_000;

/** Live data: the status document whenever something in it changed. */
export const eventRoutes: Family = ({ declare, deps }) => {
  declare(
    {
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
        200: { description: 'The stream.', type: 'text/event-stream', schema: z.string(), headers: { 'Cache-Control': 'Always `no-store`.' } },
      },
      problems: ['too-many-viewers', 'restarting', 'stopping'],
    },
    (c) => {
      if (deps.stopping()) return problem(c, 'stopping', 'The agent is stopping.');
      const stream = deps.registry.read<StreamContext>('stream');
      if (stream === undefined) return restarting(c, 'stream');
      if (stream.context.viewers >= maxViewers) {
        return problem(c, 'too-many-viewers', `At most ${maxViewers} live viewers at a time. Close one and try again.`);
      }
      // A HEAD has no body to stream: nothing would ever tell that its viewer has left.
      if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      const response = streamSSE(c, async (sse) => {
        deps.registry.tell('stream', { type: 'stream.viewer-joined' });
        let dirty = true;
        let wake: (() => void) | null = null;
        const rouse = (): void => {
          const resolve = wake;
          wake = null;
          resolve?.();
        };
        const stopFollowing = deps.registry.follow(
          'stream',
          (snapshot) => (snapshot === undefined ? -1 : (snapshot.context as StreamContext).revision),
          () => {
            dirty = true;
            rouse();
          },
        );
        sse.onAbort(rouse);
        try {
          while (!sse.aborted && !sse.closed && !deps.stopping()) {
            if (dirty) {
              dirty = false;
              // oxlint-disable-next-line no-await-in-loop -- one frame after another: a slow viewer gets the newest state, not a queue
              await sse.writeSSE({ event: 'status', data: JSON.stringify(readStatus(deps)) });
              continue;
            }
            let timer: ReturnType<typeof setTimeout> | undefined;
            // oxlint-disable-next-line no-await-in-loop -- waits for a change, an abort or the next ping
            const quiet = await new Promise<boolean>((resolve) => {
              wake = () => resolve(false);
              timer = setTimeout(() => resolve(true), pingMs);
            });
            clearTimeout(timer);
            // oxlint-disable-next-line no-await-in-loop -- as above
            if (quiet) await sse.write(': ping\n\n');
          }
        } finally {
          stopFollowing();
          deps.registry.tell('stream', { type: 'stream.viewer-left' });
        }
      });
      // The library's own word is no-cache.
      response.headers.set('Cache-Control', 'no-store');
      return response;
    },
  );
};
