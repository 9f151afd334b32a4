/** The descriptions of an operation's paths: the first one has the examples, the others are its aliases. */
export const named = (
  names: readonly (readonly [name: string, operationId: string])[],
): readonly {
  readonly path: string;
  readonly operationId: string;
  /** The sentence of an alias; null for the first path. */
  readonly also: string | null;
  readonly deprecated: boolean;
}[] =>
  names.map(([name, operationId], index) => ({
    path: `/api/v1/profiles/${name}`,
    operationId,
    also: index === 0 ? null : `Another name of \`/api/v1/profiles/${names[0]?.[0] ?? ''}\`.`,
    deprecated: index > 0,
  }));
