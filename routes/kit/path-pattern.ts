/**
 * Whether a path of a request is one of a route's, whose path may have parameters: `/api/v1/profiles/{id}`. The
 * pre-routing checks find a route's guard and bounds by it, so that one with parameters is not left unguarded.
 */
export function pathMatcher(path: string): (asked: string) => boolean {
  if (!path.includes('{')) return (asked) => asked === path;
  const literal = path.split(/\{[^}]+\}/).map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${literal.join('[^/]+')}$`);
  return (asked) => pattern.test(asked);
}
