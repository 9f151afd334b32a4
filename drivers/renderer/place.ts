import type { PagePlace } from '#machines/renderer/events.ts';

export interface PlaceFacts {
  readonly url: string;
  /** HTTP status of the document; 0 if there was none. */
  readonly status: number;
  /** Home Assistant's origin; null while none is set. */
  readonly origin: string | null;
  readonly ownOrigin: string;
}

function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

/** The kind of page at an address (seen with Home Assistant 2026.11). */
export function placeOf({ url, status, origin, ownOrigin }: PlaceFacts): PagePlace {
  if (url.startsWith('chrome-error:')) return 'error';
  if (url === '' || url.startsWith('about:')) return 'blank';
  const here = originOf(url);
  if (here === ownOrigin) return 'own';
  if (here === null || here !== origin) return 'other';
  if (status >= 400) return 'error';
  const { pathname } = new URL(url);
  if (pathname.startsWith('/auth/authorize')) return 'login';
  return pathname.startsWith('/onboarding.html') ? 'onboarding' : 'dashboard';
}
