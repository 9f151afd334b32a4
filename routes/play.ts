import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { z } from 'zod';
import { addressWords } from '#machines/announcer/address-words.ts';
import { findUrl, isJsonObject } from '#machines/announcer/find-url.ts';
import { announcementPhases } from '#machines/announcer/events.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json, text } from '#routes/kit/answer.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

const example = 'http://192.0.2.10:8123/api/tts_proxy/example.mp3';

const Url = once(() => z.string().meta({ description: 'http or https address of a sound.' }));
const Named = once(() => z.object({ url: Url() }).meta({ id: 'Announcement', description: 'What to play.' }));

const word = once(() => text('Accepted; it replaces the previous one.', { example: 'playing\n' }));

const Admitted = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is accepted.' }),
      generation: z.int().min(1).meta({
        description:
          'Its number. While `announcement.generation` of the status document is the same, `phase` and `reason` there belong to it; a higher one has replaced it.',
      }),
      state: z
        .enum(announcementPhases)
        .meta({ description: 'Its state now, as `announcement.phase` of the status document.' }),
    })
    .meta({ id: 'AnnouncementAccepted', description: 'An announcement that was accepted.' }),
);

/** The media types of JSON. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** True if the caller reads JSON: it says so, or sends JSON and does not ask for the plain word. */
function readsJson(c: Context, body: string): boolean {
  const wanted = accepts(c, { header: 'Accept', supports: ['application/json', 'text/plain'], default: '' });
  if (wanted !== '') return wanted === 'application/json';
  return JSON_TYPE.test(c.req.header('content-type') ?? '') || isJsonObject(body);
}

/** The address in a body that can be played now, or why it cannot. */
function playable(
  { registry, stopping }: RouteDeps,
  body: string,
): { readonly ok: true; readonly url: string } | Refusal<'no-url' | 'not-here' | 'restarting' | 'stopping'> {
  const url = findUrl(body);
  if (url === null)
    return refuse(
      'no-url',
      'The body holds no http or https address. Send one as the whole body, or as "url" of a JSON object.',
    );
  // The body may have come slowly.
  if (stopping()) return refuse('stopping', 'The agent is stopping and plays nothing more.');
  const announcer = registry.read('announcer');
  const verdict = announcer?.context.verdict;
  if (verdict?.state === 'needs_you' && verdict.reason === 'no-player') return refuse('not-here', verdict.detail);
  if (!registry.ids().includes('announcer'))
    return refuse('not-here', 'The profile of this panel says that it has no loudspeaker.');
  return announcer === undefined ? restarting('announcer') : { ok: true, url };
}

interface SentText {
  readonly text: string;
}

/** Announcements: one at a time, the newest wins. */
export const playRoutes: Family = ({ declare, deps }) => {
  const admit = unlessStopping(deps);
  const protects = ({ text: body }: SentText) => {
    const url = findUrl(body);
    return { operation: 'REMOTE_MEDIA', what: url === null ? '' : addressWords(url) } as const;
  };
  const check = ({ text: body }: SentText) => {
    const found = playable(deps, body);
    return found.ok ? null : found;
  };
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
          'The body is the address of a sound, or JSON with the field `url`; any content type is accepted. The answer comes on acceptance: 202 with its `generation` for a caller that accepts `application/json` or sends JSON, 200 with a plain word for any other. Its result is in `announcement` of the status document, under that `generation`. A newer announcement replaces one that is queued, downloading or playing. http and https only, at most ten redirects and never down to http, at most 32 MiB; not the panel itself; no playlists.',
        guard: 'write',
        protects,
        operations: ['REMOTE_MEDIA'],
        check,
        maxBodyBytes: 16_384,
        admit,
        body: () => ({
          reads: 'raw',
          description: 'The address, plain or in `url`.',
          types: {
            'text/plain': { schema: Url(), example },
            'application/json': { schema: Named(), example: { url: example } },
            'application/x-www-form-urlencoded': { schema: Named() },
          },
        }),
        answers: () => ({
          200: word(),
          202: json('Accepted, for a caller that reads JSON; it replaces the previous one.', Admitted(), {
            example: { ok: true, generation: 4, state: 'queued' },
          }),
        }),
        problems: ['no-url', 'not-here', 'restarting', 'stopping'],
      },
      async ({ c, answer }) => {
        const body = new TextDecoder().decode(await c.req.arrayBuffer());
        const found = playable(deps, body);
        if (!found.ok) return found;
        const { url } = found;
        if (deps.registry.tell('announcer', { type: 'announcement.play', url, at: deps.now() }) === 'absent')
          return restarting('announcer');
        if (!readsJson(c, body)) return answer(200, 'playing\n');
        // The event was processed before `tell` returned, so these facts are those of this announcement.
        const facts = deps.registry.read('announcer')?.context;
        if (facts === undefined) return restarting('announcer');
        return answer(202, { ok: true, generation: facts.generation, state: facts.phase });
      },
    );
  }
};
