import type { EarlyAnswer } from '#machines/http/events.ts';
import type { RouteDeps } from './kit/deps.ts';
import { noStore } from './kit/no-store.ts';
import { problemSent } from './kit/problem.ts';
import { starting, startMs } from './kit/starting.ts';
import { healthLines, healthPaths } from './status/health-line.ts';

const paths: ReadonlySet<string> = new Set(healthPaths);

const headOf = (headers: Readonly<Record<string, string>>, type: string): readonly string[] => [
  ...Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value]),
  'content-type',
  type,
];

const lineHead = headOf(noStore, 'text/plain; charset=UTF-8');

/** The answer while the agent starts, the same as of every route. */
function refused(): EarlyAnswer {
  const { status, headers, body } = problemSent(starting);
  return {
    status,
    head: headOf(headers, 'application/json'),
    text: JSON.stringify(body),
  };
}

/**
 * The health line without the routes, so that a watcher neither waits for them to load nor pays for them on each
 * request. The declared route answers alike; it serves HEAD.
 */
export function earlyHealth(
  deps: Pick<RouteDeps, 'base' | 'build' | 'elapsed' | 'registry' | 'version'>,
): (method: string, path: string) => EarlyAnswer | Promise<EarlyAnswer> | null {
  const line = healthLines(deps);
  const answer = (): EarlyAnswer => ({ status: 200, head: lineHead, text: line() });
  return (method, path) => {
    if (method !== 'GET' || !paths.has(path)) return null;
    if (deps.base.known() !== null) return answer();
    return deps.base.whenKnown(startMs).then((known) => (known ? answer() : refused()));
  };
}
