import { streamMachine } from '#machines/stream/machine.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { ChildSpec } from '#actors/kit/spec.ts';

/** The live stream's actor; `watchForChanges` feeds it. */
export const streamSpec = (): ChildSpec => ({
  id: 'stream',
  logic: streamMachine,
  restart: 'permanent',
  stop: { event: { type: 'stream.stop' }, withinMs: 200 },
});

/** Actors whose facts are not shown live: the stream itself would answer its own echo. */
const silent: ReadonlySet<string> = new Set(['stream', 'service']);

/** Tells the stream whenever the public facts of any actor change; returns what ends the watching. */
export const watchForChanges = (registry: Registry, ids: readonly string[]): (() => void) => {
  const ends = ids
    .filter((id) => !silent.has(id))
    .map((id) =>
      registry.follow(
        id,
        (snapshot) => snapshot,
        () => {
          registry.tell('stream', { type: 'stream.touched' });
        },
      ),
    );
  return () => {
    for (const end of ends) end();
  };
};
