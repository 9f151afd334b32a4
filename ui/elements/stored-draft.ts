/** A text that is being written, as it is kept while the page is loaded anew. */
export interface StoredDraft {
  readonly text: string;
  /** Where it began, in words. */
  readonly origin: string;
  /** The text it began as: while they are equal, nothing would be lost. */
  readonly base: string;
}

const place = 'profile-draft';

/** The draft that was kept in this tab; null where there is none. */
export function storedDraft(): StoredDraft | null {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(place) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    // Written below; anything else of that name is not taken.
    const { text, origin, base } = kept as Partial<StoredDraft>;
    return typeof text === 'string' && typeof origin === 'string' && typeof base === 'string'
      ? { text, origin, base }
      : null;
  } catch {
    return null;
  }
}

/** Keeps a draft in this tab, or forgets it; a browser that keeps nothing loses only the convenience. */
export function storeDraft(draft: StoredDraft | null): void {
  try {
    if (draft === null) window.sessionStorage.removeItem(place);
    else window.sessionStorage.setItem(place, JSON.stringify(draft));
  } catch {
    // The page itself still holds the text.
  }
}
