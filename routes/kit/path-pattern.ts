/**
 * Matches the path of a request against that of a route, which may have parameters: `/api/v1/profiles/{id}`. The
 * pre-routing checks use it to find a route's guard and bounds, so that paths with parameters are guarded too.
 */
export function pathMatcher(path: string): (asked: string) => boolean {
  if (!path.includes('{')) return (asked) => asked === path;
  const literal = path.split(/\{[^}]+\}/).map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${literal.join('[^/]+')}$`);
  return (asked) => pattern.test(asked);
}
