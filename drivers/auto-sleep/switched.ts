/** Something that runs for one value at a time. */
export interface Switched<T> {
  /** Ends what runs for another value, and begins it for this one; null for none. */
  readonly follow: (value: T | null) => void;
}

/** `begin` returns what ends it again. */
export function switched<T>(begin: (value: T) => () => void): Switched<T> {
  let current: T | null = null;
  let end = (): void => {};
  return {
    follow: (value) => {
      if (value === current) return;
      end();
      end = () => {};
      current = value;
      if (value !== null) end = begin(value);
    },
  };
}
