export const read = (registry: unknown): unknown =>
  (registry as { read: (id: string) => unknown }).read('http'); // refused: a cast in the call
