import { z } from '@hono/zod-openapi';
import { findUrl } from '#machines/announcer/find-url.ts';
import type { Family } from '#routes/kit/family.ts';
import { noStore } from '#routes/kit/no-store.ts';
import { problem, restarting } from '#routes/kit/problem.ts';

const Body = z.union([
  z.string(),
  z.object({
    url: z.string().meta({
      description: 'http or https address of a sound.',
      examples: ['http://192.0.2.10:8123/api/tts_proxy/example.mp3'],
    }),
  }),
]);
const Accepted = z.literal('playing\n');

/** Announcements: one at a time, the newest wins. */
export const playRoutes: Family = ({ declare, deps }) => {
  for (const path of ['/play', '/api/v1/play']) {
    declare(
      {
        method: 'post',
        path,
        tag: 'panel',
        summary: 'Play an announcement',
        description:
          'The body is the address of a sound, or JSON with the field `url`; any content type is taken. The answer comes when it was accepted: what becomes of it stands in `announcement` of the status document. A newer announcement replaces one that is queued, downloading or playing. http and https only, at most ten redirects and never down to http, at most 32 MiB; not the panel itself; no playlists.',
        guard: 'write',
        protects: 'REMOTE_MEDIA',
        maxBodyBytes: 16_384,
        body: { description: 'The address, as it is or in `url`.', schema: Body },
        answers: {
          200: {
            description: 'Accepted; it replaces what went on before.',
            type: 'text/plain; charset=UTF-8',
            schema: Accepted,
          },
        },
        problems: ['no-url', 'not-here', 'restarting', 'stopping'],
      },
      async (c) => {
        if (deps.stopping()) return problem(c, 'stopping', 'The agent is stopping and plays nothing more.');
        const url = findUrl(new TextDecoder().decode(await c.req.arrayBuffer()));
        if (url === null)
          return problem(
            c,
            'no-url',
            'The body holds no http or https address. Send one as the whole body, or as "url" of a JSON object.',
          );
        if (deps.stopping()) return problem(c, 'stopping', 'The agent is stopping and plays nothing more.');
        const verdict = deps.registry.read('announcer')?.context.verdict;
        if (verdict?.state === 'needs_you' && verdict.reason === 'no-player')
          return problem(c, 'not-here', verdict.detail);
        if (!deps.registry.ids().includes('announcer'))
          return problem(c, 'not-here', 'The profile of this panel says that it has no loudspeaker.');
        if (deps.registry.tell('announcer', { type: 'announcement.play', url, at: deps.now() }) === 'absent')
          return restarting(c, 'announcer');
        return c.text('playing\n', 200, noStore);
      },
    );
  }
};
