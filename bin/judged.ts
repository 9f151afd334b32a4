import { capabilities, judgeCapabilities } from '#machines/capabilities.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Registry } from '#actors/kit/registry.ts';
import { until } from '#actors/kit/until.ts';

/**
 * Waits until every capability has its verdict, or for `boundMs`; `absent` are ids of capabilities that the profile
 * declares absent. Actors without a capability are not waited for.
 */
export async function allJudged(
  registry: Pick<Registry, 'follow' | 'ids'>,
  absent: readonly string[],
  boundMs: Milliseconds,
): Promise<void> {
  const supervised = registry.ids();
  const judged = capabilities.filter(({ id, actor }) => supervised.includes(actor) && !absent.includes(id));
  await Promise.all(
    [...new Set(judged.map(({ actor }) => actor))].map((actor) =>
      until(
        registry,
        actor,
        (snapshot) => judgeCapabilities(() => snapshot, [actor], absent).every(({ state }) => state !== 'checking'),
        boundMs,
      ),
    ),
  );
}
