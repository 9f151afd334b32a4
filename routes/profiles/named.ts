/** What the first path of an operation says; the further paths are its other names, without examples. */
export const named = (
  names: readonly (readonly [name: string, operationId: string])[],
): readonly {
  readonly path: string;
  readonly operationId: string;
  /** The sentence of another name; null for the first one. */
  readonly also: string | null;
  readonly deprecated: boolean;
}[] =>
  names.map(([name, operationId], index) => ({
    path: `/api/v1/profiles/${name}`,
    operationId,
    also: index === 0 ? null : `Another name of \`/api/v1/profiles/${names[0]?.[0] ?? ''}\`.`,
    deprecated: index > 0,
  }));
