import { z } from 'zod';
import { maxLogViewers, type LogReader } from '#machines/logs/events.ts';
import { made } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { frame, liveStream } from '#routes/kit/live-stream.ts';

/** Lines written at once. */
const pieceLines = 64;

/** A position: the run of the agent it belongs to, and the line. */
const position = /^([0-9a-f]{8})-(\d{1,15})$/;

const Query = z.strictObject({
  source: z
    .enum(['app'])
    .optional()
    .meta({ description: 'Whose log: `app` (the default), the agent’s own, is the only one.' }),
  backlog: z
    .int()
    .min(0)
    .max(999)
    .optional()
    .meta({ description: 'How many of the newest lines come first; by default all that are kept, at most 512.' }),
  after: z.string().regex(position).optional().meta({
    description:
      'The `id` of the last event that is known already; what came after it is sent. The header `Last-Event-ID` goes before it.',
  }),
});

/** Where a viewer starts: after what it knows of this run, else so many lines before the newest. */
const startOf = (logs: LogReader, known: string | undefined, backlog: number): number => {
  const [, run, seq] = position.exec(known ?? '') ?? [];
  return run === logs.run && Number(seq) <= logs.newest()
    ? Number(seq)
    : Math.max(0, logs.newest() - Math.min(backlog, logs.capacity));
};

/** The frames of the next lines after `from`, and where they end; null when there are none. */
const framesAfter = (logs: LogReader, from: number): { readonly text: string; readonly to: number } | null => {
  const { lines, missed } = logs.after(from, pieceLines);
  const last = lines.at(-1);
  if (last === undefined) return null;
  const dropped = missed === 0 ? '' : frame('dropped', JSON.stringify({ count: missed }));
  return {
    text: dropped + lines.map((line) => frame('line', JSON.stringify(line), `${logs.run}-${line.seq}`)).join(''),
    to: last.seq,
  };
};

/** The agent's own log, live and redacted. */
export const logRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'streamLogs',
      method: 'get',
      path: '/api/v1/logs/stream',
      tag: 'status',
      summary: 'Live log as server-sent events',
      description:
        'Event `line` carries one redacted line as JSON (`seq`, `at`, `level`, `part`, `text`, `facts`): first the newest ones that are kept, then each as it comes. Its `id` is a position to go on from. A viewer that is more than 512 lines behind loses the oldest and gets the event `dropped` with their `count`. A comment line `: ping` comes each 15 s.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      query: Query,
      headers: z.object({
        'last-event-id': z.string().optional().meta({ description: 'As `after`; browsers send it by themselves.' }),
      }),
      answers: {
        200: made('The stream.', 'text/event-stream', {
          example:
            'id: bab2f93b-2\nevent: line\ndata: {"seq":2,"at":1795352177718,"level":"info","part":"","text":"dashboard","facts":"phase=starting"}\n\n',
        }),
      },
      problems: ['too-many-viewers', 'restarting', 'stopping'],
    },
    ({ c, query, answer }) => {
      const { logs } = deps;
      const known = c.req.header('last-event-id') ?? query.after;
      let at = startOf(logs, known, query.backlog ?? logs.capacity);
      const stream = liveStream(c, deps, {
        actor: 'logs',
        joined: { type: 'logs.viewer-joined' },
        left: { type: 'logs.viewer-left' },
        maxViewers: maxLogViewers,
        next: () => {
          const frames = framesAfter(logs, at);
          at = frames?.to ?? at;
          return frames?.text ?? null;
        },
      });
      return stream instanceof Response ? answer(200, stream) : stream;
    },
  );
};
