import { z } from 'zod';
import { findUrl } from '#machines/announcer/find-url.ts';
import type { Family } from '#routes/kit/family.ts';
import { refuse } from '#machines/kit/result.ts';
import { text } from '#routes/kit/answer.ts';
import { restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

const example = 'http://192.0.2.10:8123/api/tts_proxy/example.mp3';

const Url = z.string().meta({ description: 'http or https address of a sound.' });
const Named = z.object({ url: Url }).meta({ id: 'Announcement', description: 'What is to be played.' });

const accepted = text('Accepted; it replaces what went on before.', { example: 'playing\n' });

/** Announcements: one at a time, the newest wins. */
export const playRoutes: Family = ({ declare, deps }) => {
  const admit = unlessStopping(deps);
  for (const [path, operationId, also] of [
    ['/api/v1/play', 'play', null],
    ['/play', 'playAtRoot', 'The same as `/api/v1/play`.'],
  ] as const) {
    declare(
      {
        operationId,
        method: 'post',
        path,
        tag: 'panel',
        summary: 'Play an announcement',
        description:
          also ??
          'The body is the address of a sound, or JSON with the field `url`; any content type is taken. The answer comes when it was accepted: what becomes of it stands in `announcement` of the status document. A newer announcement replaces one that is queued, downloading or playing. http and https only, at most ten redirects and never down to http, at most 32 MiB; not the panel itself; no playlists.',
        guard: 'write',
        protects: 'REMOTE_MEDIA',
        maxBodyBytes: 16_384,
        admit,
        body: {
          reads: 'raw',
          description: 'The address, as it is or in `url`.',
          types: {
            'text/plain': { schema: Url, example },
            'application/json': { schema: Named, example: { url: example } },
            'application/x-www-form-urlencoded': { schema: Named },
          },
        },
        answers: { 200: accepted },
        problems: ['no-url', 'not-here', 'restarting', 'stopping'],
      },
      async ({ c, answer }) => {
        const url = findUrl(new TextDecoder().decode(await c.req.arrayBuffer()));
        if (url === null)
          return refuse(
            'no-url',
            'The body holds no http or https address. Send one as the whole body, or as "url" of a JSON object.',
          );
        // The body may have come slowly.
        if (deps.stopping()) return refuse('stopping', 'The agent is stopping and plays nothing more.');
        const verdict = deps.registry.read('announcer')?.context.verdict;
        if (verdict?.state === 'needs_you' && verdict.reason === 'no-player') return refuse('not-here', verdict.detail);
        if (!deps.registry.ids().includes('announcer'))
          return refuse('not-here', 'The profile of this panel says that it has no loudspeaker.');
        if (deps.registry.tell('announcer', { type: 'announcement.play', url, at: deps.now() }) === 'absent')
          return restarting('announcer');
        return answer(200, 'playing\n');
      },
    );
  }
};
