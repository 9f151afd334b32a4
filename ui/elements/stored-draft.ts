/** An unsaved text, kept across a reload of the page. */
export interface StoredDraft {
  readonly text: string;
  /** Its origin, in words. */
  readonly origin: string;
  /** The original text: while equal, nothing would be lost. */
  readonly base: string;
}

const place = 'profile-draft';

/** The draft stored in this tab, if any. */
export function storedDraft(): StoredDraft | null {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(place) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    // Written below; anything else under that key is ignored.
    const { text, origin, base } = kept as Partial<StoredDraft>;
    return typeof text === 'string' && typeof origin === 'string' && typeof base === 'string'
      ? { text, origin, base }
      : null;
  } catch {
    return null;
  }
}

/** Stores a draft in this tab, or removes it; without storage only the convenience is lost. */
export function storeDraft(draft: StoredDraft | null): void {
  try {
    if (draft === null) window.sessionStorage.removeItem(place);
    else window.sessionStorage.setItem(place, JSON.stringify(draft));
  } catch {
    // The page itself still has the text.
  }
}
