import { z } from 'zod';
import { maxViewers } from '#machines/stream/events.ts';
import type { Family } from '#routes/kit/family.ts';
import { made } from '#routes/kit/answer.ts';
import { frame, liveStream } from '#routes/kit/live-stream.ts';
import { createStatusFeed, type StatusFeed } from '#routes/status/feed.ts';

/** What one viewer is sent next: the whole document first, then what it does not know yet; null for nothing. */
function viewerOf(feed: StatusFeed, wantsWhole: boolean): () => string | null {
  let revision = 0;
  let known: number | null = null;
  return () => {
    const changes = known === null ? null : feed.since(known);
    if (known !== null && changes === null) return null;
    revision += 1;
    if (changes === null || wantsWhole) {
      const { version, text } = feed.whole();
      known = version;
      return frame('status', text, `${revision}`);
    }
    known = changes.version;
    return frame('change', `{"revision":${revision},${changes.members}}`, `${revision}`);
  };
}

/** Live data: the status document, and then its changes. */
export const eventRoutes: Family = ({ declare, deps }) => {
  const feed = createStatusFeed({
    status: deps.status,
    revision: () => deps.registry.read('stream')?.context.revision ?? -1,
    now: deps.now,
  });
  declare(
    {
      operationId: 'streamStatus',
      method: 'get',
      path: '/api/v1/events',
      tag: 'status',
      summary: 'Live status as server-sent events',
      description:
        'First the event `status` with the whole status document as JSON. Then, on each change and at most five times a second, the event `change`: `{revision, taken_at, sections}`. `sections` holds the top-level members of the document that differ, each complete as of `taken_at`, or null for one that is gone; replace the old ones with them. `taken_at` and fields marked `x-ageing` do not count as changes: compute an age from the `taken_at` that it came with. The `id` of an event is its revision: 1 for `status`, then one more with each event of this connection. A slow viewer gets the changes that it missed as one, so any number but the next means that an event was lost: reconnect. Each connection begins with a whole `status`, whatever its `Last-Event-ID`. A comment line `: ping` comes every 15 s without a change.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          full: z
            .enum(['1'])
            .optional()
            .meta({ description: '`1` sends the whole document as `status` on each change, and never `change`.' }),
        }),
      answers: () => ({
        200: made('The stream.', 'text/event-stream', {
          example:
            'id: 1\nevent: status\ndata: {"state":"working","sentence":"Everything works.","volume":{"percent":40},"taken_at":1795352177718}\n\nid: 2\nevent: change\ndata: {"revision":2,"taken_at":1795352190021,"sections":{"volume":{"percent":45},"renderer":null}}\n\n: ping\n\n',
        }),
      }),
      problems: ['too-many-viewers', 'restarting', 'stopping'],
    },
    ({ c, query, answer }) => {
      const stream = liveStream(c, deps, {
        actor: 'stream',
        joined: { type: 'stream.viewer-joined' },
        left: { type: 'stream.viewer-left' },
        maxViewers,
        next: viewerOf(feed, query.full === '1'),
      });
      return stream instanceof Response ? answer(200, stream) : stream;
    },
  );
};
