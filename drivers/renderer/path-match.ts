function segmentsOf(path: string): readonly string[] {
  const [pathname = ''] = path.split(/[?#]/, 1);
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}

/**
 * True if the page that opened is the one asked for: the same path, or one below it (`/lovelace` opens its first view
 * `/lovelace/0`). The start page `/` matches any page, because Home Assistant redirects it.
 */
export function isRequestedPath(asked: string, actual: string): boolean {
  const shown = segmentsOf(actual);
  return segmentsOf(asked).every((segment, index) => segment === shown[index]);
}
