import { z } from 'zod';
import { type StoredEntry, type LogReader, maxLogViewers, runEnds } from '#machines/live-log/events.ts';
import { entryText, newestWithin } from '#machines/live-log/text.ts';
import { made, textOrJson } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { frame, liveStream } from '#routes/kit/live-stream.ts';
import { once } from '#machines/kit/once.ts';

/** Lines written at once. */
const pieceLines = 64;
/** How far back a stream begins by default, in lines (as panel-assistant). */
const usualBacklog = 512;
/** Entries that are served by default. */
const usualEntries = 1000;
/** Most bytes of the kept log in one answer, without the JSON around the entries. */
const mostBytes = 1_000_000;

/** A position: the run of the agent that it belongs to, and the line. */
const position = /^([0-9a-f]{8})-(\d{1,15})$/;

const Stream = once(() =>
  z.strictObject({
    source: z
      .enum(['app'])
      .optional()
      .meta({ description: 'Which log: `app` (the default), the agent’s own, is the only one.' }),
    backlog: z
      .int()
      .min(0)
      .max(999)
      .optional()
      .meta({ description: `How many of the newest lines come first; ${usualBacklog} by default.` }),
    after: z.string().regex(position).optional().meta({
      description:
        'The `id` of the last known event; later ones are sent. The header `Last-Event-ID` takes precedence.',
    }),
  }),
);

const Query = once(() =>
  z.strictObject({
    format: z.enum(['text', 'json']).default('text').meta({ description: 'The format of the entries.' }),
    lines: z.int().min(1).max(5000).default(usualEntries).meta({ description: 'How many of the newest entries.' }),
    download: z.enum(['1']).optional().meta({ description: '`1` sends it as a file to save.' }),
  }),
);

const at = once(() => z.int().meta({ description: 'Milliseconds since the Unix epoch.' }));

const Entry = once(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('line').meta({ description: 'A line of the log.' }),
      at: at(),
      level: z
        .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
        .meta({ description: 'Its severity; after `fatal` the agent exited.' }),
      part: z.string().meta({ description: 'The part that wrote it; empty for the agent itself.' }),
      text: z.string().meta({ description: 'What happened, in words.' }),
      facts: z.string().meta({ description: 'The facts beside the words, as `name=value`.' }),
    }),
    z.object({
      kind: z.literal('started').meta({ description: 'The agent was started here.' }),
      at: at(),
      before: z.enum(runEnds).nullable().meta({
        description: 'How the previous run ended: `power` together with the machine. Null if unknown.',
      }),
    }),
    z.object({
      kind: z.literal('left_out').meta({ description: 'Lines came too fast to be kept.' }),
      at: at(),
      count: z.int().min(1).meta({ description: 'How many.' }),
    }),
  ]),
);

export const Logs = once(() =>
  z
    .object({
      position: z.string().regex(position).meta({ description: 'Where the live log continues, as its `after`.' }),
      entries: z.array(Entry()).meta({ description: 'The oldest first.' }),
    })
    .meta({ id: 'Logs', description: 'The newest entries of the log, redacted: those of earlier runs first.' }),
);

/** Where a viewer starts: after what it knows of this run, otherwise this many lines before the newest. */
function startOf(logs: LogReader, known: string | undefined, backlog: number): number {
  const [, run, seq] = position.exec(known ?? '') ?? [];
  return run === logs.run && Number(seq) <= logs.newest()
    ? Number(seq)
    : Math.max(0, logs.newest() - Math.min(backlog, logs.capacity));
}

/** What a viewer gets before its first lines: where this run began, unless it knows that or starts later. */
function openingOf(logs: LogReader, known: string | undefined, from: number): string {
  const [, run] = position.exec(known ?? '') ?? [];
  const isNews = run === undefined ? from === 0 : run !== logs.run;
  return isNews ? frame('started', JSON.stringify(logs.start())) : '';
}

/** The frames of the next lines after `from`, and where they end; null if there are none. */
function framesAfter(logs: LogReader, from: number): { readonly text: string; readonly to: number } | null {
  const { lines, missed } = logs.after(from, pieceLines);
  const last = lines.at(-1);
  if (last === undefined) return null;
  const dropped = missed === 0 ? '' : frame('dropped', JSON.stringify({ count: missed }));
  return {
    text: dropped + lines.map((line) => frame('line', JSON.stringify(line), `${logs.run}-${line.seq}`)).join(''),
    to: last.seq,
  };
}

const jsonText = (entry: StoredEntry): string => JSON.stringify(entry);

/** The agent's own log, redacted: live, and what was kept across starts. */
export const logRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getLogs',
      method: 'get',
      path: '/api/v1/logs',
      tag: 'status',
      summary: 'The kept log',
      description:
        'The newest lines of the log, including earlier runs: at most 2,000 lines and 512 kB are kept in the data folder, and at most 1 MB is sent. A line of the text is the time in UTC, the level, the part, the words and the facts. Passwords, tokens, addresses and identifiers are removed before a line is kept.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: Query,
      answers: () => ({
        200: textOrJson('The newest entries.', 'text/plain; charset=utf-8', Logs(), {
          headers: { 'Content-Disposition': '`inline`, or an attachment with the name of the file.' },
        }),
      }),
      problems: [],
    },
    ({ query, answer }) => {
      const { logs } = deps;
      const isJson = query.format === 'json';
      const from = `${logs.run}-${logs.newest()}`;
      const entries = newestWithin(logs.kept(query.lines), isJson ? jsonText : entryText, mostBytes);
      const name = `sconce-log.${isJson ? 'json' : 'txt'}`;
      return answer(
        200,
        isJson ? { position: from, entries } : entries.map((entry) => `${entryText(entry)}\n`).join(''),
        {
          'Content-Disposition': query.download === '1' ? `attachment; filename="${name}"` : 'inline',
        },
      );
    },
  );
  declare(
    {
      operationId: 'streamLogs',
      method: 'get',
      path: '/api/v1/logs/stream',
      tag: 'status',
      summary: 'Live log as server-sent events',
      description:
        'Event `line` has one redacted line as JSON (`seq`, `at`, `level`, `part`, `text`, `facts`): first the newest kept ones of this run, then each as it comes. Its `id` is a position to continue from. Event `started` tells a viewer that does not know this run when it began (`at`) and how the previous one ended (`before`). A viewer that is more than 2,000 lines behind loses the oldest and gets the event `dropped` with their `count`. A comment line `: ping` comes every 15 s.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      query: Stream,
      headers: () =>
        z.object({
          'last-event-id': z.string().optional().meta({ description: 'As `after`; browsers send it by themselves.' }),
        }),
      answers: () => ({
        200: made('The stream.', 'text/event-stream', {
          example:
            'id: bab2f93b-2\nevent: line\ndata: {"seq":2,"at":1795352177718,"level":"info","part":"","text":"The browser is starting.","facts":"phase=starting"}\n\n',
        }),
      }),
      problems: ['too-many-viewers', 'restarting', 'stopping'],
    },
    ({ c, query, answer }) => {
      const { logs } = deps;
      const known = c.req.header('last-event-id') ?? query.after;
      let from = startOf(logs, known, query.backlog ?? usualBacklog);
      let isOpened = false;
      const stream = liveStream(c, deps, {
        actor: 'live-log',
        joined: { type: 'logs.viewer-joined' },
        left: { type: 'logs.viewer-left' },
        maxViewers: maxLogViewers,
        next: () => {
          const frames = framesAfter(logs, from);
          if (frames === null) return null;
          const opening = isOpened ? '' : openingOf(logs, known, from);
          isOpened = true;
          from = frames.to;
          return opening + frames.text;
        },
      });
      return stream instanceof Response ? answer(200, stream) : stream;
    },
  );
};
