import type { Bench } from '#test/drivers/renderer/bench.ts';
import { until } from './until.ts';

/**
 * What the private parts of the frontend were seen with: a newer one may differ, and then the page is shown all the
 * same.
 */
const SEEN_WITH = '2026.11.0';

/** Probes the driven page until it has drawn the dashboard and is connected. */
export async function untilShown(bench: Bench, withinMs = 30_000): Promise<void> {
  await until(
    'the driven page shows the dashboard',
    async () => {
      const from = bench.facts.length;
      await bench.driven.probe();
      return bench.facts
        .slice(from)
        .some(
          (fact) =>
            fact.type === 'page.probed' &&
            fact.showing === true &&
            fact.connected === true &&
            fact.homeAssistantVersion === SEEN_WITH,
        );
    },
    withinMs,
  );
}
