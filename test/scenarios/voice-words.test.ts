import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { words } from '#test/fakes/assist-house.ts';

import { clearAway } from './agent-process.ts';
import { until } from './live-agent.ts';
import { soundMissing, VoiceRoom } from './voice-room.ts';

afterAll(clearAway);

/** Streams, which end with the test. */
const streams = ['/api/v1/events', '/api/v1/dev/stream', '/api/v1/logs/stream'] as const;
/** Begins a turn; watches the traffic of Home Assistant for seconds, and counts it. */
const leftOut = new Set<string>(['/api/v1/voice/test', '/api/v1/dashboard/entities/traffic', ...streams]);
/** Longest wait for an answer; and how many are asked at once, since a panel has few connections for each caller. */
const ANSWER_MS = 5000;
const AT_ONCE = 8;
/** What a person said, what was answered, and where the answer was fetched. */
const marks = ['xylophone', 'tts_proxy/2500'] as const;

type Paths = Readonly<Record<string, { readonly get?: unknown }>>;

/** Everything that a panel says, until it is ended. */
function overhear({ agent }: VoiceRoom) {
  const over = new AbortController();
  const heard = new Map<string, string>();
  for (const path of streams)
    void fetch(`${agent.url}${path}`, { signal: over.signal })
      .then(async ({ body }) => {
        for await (const chunk of body ?? []) heard.set(path, (heard.get(path) ?? '') + Buffer.from(chunk).toString());
      })
      .catch(() => {});
  return { heard, end: () => over.abort() };
}

/** Each answer to a GET without parameters. */
async function answers({ agent }: VoiceRoom): Promise<readonly (readonly [string, string])[]> {
  const { paths } = (await (await fetch(`${agent.url}/api/v1/openapi.json`)).json()) as { readonly paths: Paths };
  const gets = Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || path.includes('{') ? [] : [path],
  );
  const pages = ['/', '/voice', '/logs', '/history', '/configure', '/api/v1/openapi.json'];
  const asked = [...new Set([...gets, ...pages])].filter((path) => !leftOut.has(path));
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < asked.length; at += AT_ONCE)
    found.push(
      // oxlint-disable-next-line no-await-in-loop -- so many at once
      ...(await Promise.all(
        asked.slice(at, at + AT_ONCE).map(async (path) => {
          const signal = AbortSignal.timeout(ANSWER_MS);
          const text = await fetch(`${agent.url}${path}`, { signal })
            .then((answer) => answer.text())
            .catch((error: unknown) => Promise.reject(new Error(`${path}: ${String(error)}`)));
          return [path, text] as const;
        }),
      )),
    );
  return found;
}

const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.wav'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const);

describe.skipIf(soundMissing !== null)(
  `the words of a turn${soundMissing === null ? '' : ` (skipped: ${soundMissing})`}`,
  () => {
    it('are in no answer, stream, log or file, during the turn and after it', async () => {
      const room = await VoiceRoom.open({}, ['--inspect']);
      const { heard, end } = overhear(room);
      try {
        await room.allow();
        await room.save({ voice_show_text: true });
        await room.turnOn();
        const { length: before } = room.house.assist.runs;
        expect((await room.trigger()).status).toBe(202);
        const run = await room.run(before);
        await until('sound', () => run.frames.length > 2);
        await room.understand(run);
        room.answer(run, 2500);
        await until('the answer', async () => (await room.voice()).state === 'responding');
        const responding = await answers(room);
        await until('the end of the turn', async () => (await room.voice()).last?.outcome === 'done');
        const after = await answers(room);
        const { data, output } = room.agent;
        const all = [...responding, ...after, ...heard, ...filesIn(data), ['output', output()]];
        const holding = (sought: readonly string[]): readonly string[] => [
          ...new Set(
            all.flatMap(([where = '', text = '']) => (sought.some((word) => text.includes(word)) ? [where] : [])),
          ),
        ];
        expect(Object.values(words).every((text) => text.includes(marks[0]))).toBe(true);
        // What is looked through has what happened.
        expect(holding(['voice.trigger'])).toContain('/api/v1/dev/stream');
        expect(holding(['kitchen'])).toEqual(expect.arrayContaining(['/api/v1/config']));
        expect(holding(['"responding"'])).toContain('/api/v1/status');
        expect(holding(marks)).toEqual([]);
      } finally {
        end();
        await room.close();
      }
    });
  },
);
