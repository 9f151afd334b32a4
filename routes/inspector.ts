import { streamSSE } from 'hono/streaming';
import { boundedValue } from '#actors/kit/chart.ts';
import { type EventFrame, type Machines, Machines as MachinesSchema } from '#machines/status/inspection.ts';
import { maxInspectors } from '#machines/inspector/events.ts';
import type { Inspection, RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { refuse } from '#machines/kit/result.ts';
import { json, made } from '#routes/kit/answer.ts';
import { noStore } from '#routes/kit/no-store.ts';
import { restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

/** How often a quiet stream sends a ping, in milliseconds (as panel-assistant). */
const pingMs = 15_000;
/**
 * How long records are gathered into one frame, in milliseconds: faster than the eye can follow, and a burst is one
 * frame.
 */
const gatherMs = 100;
/** Most earlier records that a new viewer gets. */
const before = 100;

/** The tree of parts with the machine of each, as of now. */
export const readMachines = (deps: Pick<RouteDeps, 'registry' | 'tree'>, inspection: Inspection): Machines => ({
  tree: deps.tree(),
  machines: inspection.charts.map(({ id, root, cut }) => {
    const actor = deps.registry.ids().find((known) => known === id);
    const snapshot = actor === undefined ? undefined : deps.registry.read(actor);
    return { id, value: snapshot === undefined ? null : boundedValue(snapshot.value), chart: root, cut };
  }),
});

/**
 * The inspector: how the agent is built and what happens in it. These routes exist only if the agent was started with
 * `--inspect`.
 */
export const inspectorRoutes: Family = ({ declare, deps }) => {
  const { inspection } = deps;
  if (inspection === null) return;
  declare(
    {
      operationId: 'getMachines',
      method: 'get',
      path: '/api/v1/dev/machines',
      tag: 'inspector',
      developer: true,
      summary: 'The tree of parts with the machine of each',
      description: 'Only names of states, events and delays. It exists only if the agent was started with `--inspect`.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The machines.', MachinesSchema()),
      }),
      problems: [],
    },
    ({ answer }) => answer(200, readMachines(deps, inspection)),
  );
  declare(
    {
      operationId: 'streamRecords',
      method: 'get',
      path: '/api/v1/dev/stream',
      tag: 'inspector',
      developer: true,
      summary: 'What happens in the agent as server-sent events',
      description:
        'Event `records` has what happened since the last one as JSON (`records`, `dropped`): the last 100 at once, then at most ten frames a second. If more happens than the agent keeps (500), the oldest are dropped and counted. A comment line `: ping` comes every 15 s. Only names of events and states, never their contents.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      admit: unlessStopping(deps),
      answers: () => ({
        200: made('The stream.', 'text/event-stream', {
          example:
            'event: records\ndata: {"records":[{"n":909,"actor":"stream","of":null,"event":"stream.touched","value":"gathering","at":1795352354279}],"dropped":0}\n\n',
        }),
      }),
      problems: ['too-many-viewers', 'restarting', 'stopping'],
    },
    ({ c, answer }) => {
      const viewers = deps.registry.read('inspector')?.context.viewers;
      if (viewers === undefined) return restarting('inspector');
      if (viewers >= maxInspectors)
        return refuse(
          'too-many-viewers',
          `At most ${maxInspectors} viewers of the inspector at a time. Close one and try again.`,
        );
      // A HEAD has no body to stream: its viewer leaving would go unnoticed.
      if (c.req.method === 'HEAD')
        return answer(200, c.body(null, 200, { 'Content-Type': 'text/event-stream', ...noStore }));
      const response = streamSSE(c, async (sse) => {
        deps.registry.tell('inspector', { type: 'inspector.viewer-joined' });
        let wakeUp = (): void => {};
        let cancel = (): void => {};
        const wait = (ms: number, untilNext: boolean): Promise<boolean> =>
          new Promise((resolve) => {
            const timer = setTimeout(() => wakeUp(), ms);
            let woken = false;
            const stopListening = untilNext
              ? inspection.onNext(() => {
                  woken = true;
                  wakeUp();
                })
              : () => {};
            cancel = () => {
              clearTimeout(timer);
              stopListening();
            };
            wakeUp = () => {
              cancel();
              resolve(woken);
            };
          });
        sse.onAbort(() => wakeUp());
        let last = Math.max(0, (inspection.records().at(-1)?.n ?? 0) - before);
        try {
          while (!sse.aborted && !sse.closed && !deps.stopping()) {
            const records = inspection.records(last);
            const [first] = records;
            if (first === undefined) {
              // oxlint-disable-next-line no-await-in-loop -- waits for the next record, an abort or the next ping
              const woken = await wait(pingMs, true);
              // oxlint-disable-next-line no-await-in-loop -- as above
              if (!woken && !sse.aborted) await sse.write(': ping\n\n');
              continue;
            }
            const frame: EventFrame = { records: [...records], dropped: first.n - last - 1 };
            last += frame.records.length + frame.dropped;
            // oxlint-disable-next-line no-await-in-loop -- one frame after another: a slow viewer misses records, and
            // is told how many
            await sse.writeSSE({ event: 'records', data: JSON.stringify(frame) });
            // oxlint-disable-next-line no-await-in-loop -- gathers the next frame
            await wait(gatherMs, false);
          }
        } finally {
          cancel();
          deps.registry.tell('inspector', { type: 'inspector.viewer-left' });
        }
      });
      // The library sets no-cache.
      response.headers.set('Cache-Control', noStore['Cache-Control']);
      return answer(200, response);
    },
  );
};
