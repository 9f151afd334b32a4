const { parse } = JSON; // refused: JSON that is not judged

/** The same under another name. */
export const valueOf = (text: string): unknown => parse(text);

/** And another. */
export const byName = (text: string): unknown => JSON['parse'](text); // refused: JSON that is not judged

/** And another. */
export const ofGlobal = (text: string): unknown => globalThis.JSON.parse(text); // refused: JSON that is not judged

/** Handed over. */
export const all = (texts: readonly string[]): readonly unknown[] => texts.map(JSON.parse); // refused: JSON that is not judged
