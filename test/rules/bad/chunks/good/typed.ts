export type Thing = import('#drivers/target/thing.ts').Thing;

/** In a comment: await import('./thing.ts'). */
export const imports = (changes: { readonly import: (name: string) => void }): void => changes.import('a');
