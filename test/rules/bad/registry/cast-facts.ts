interface Facts {
  readonly port: number;
}

const portOf = (snapshot: { readonly context: unknown } | undefined): number =>
  (snapshot?.context as Facts | undefined)?.port ?? -1; // refused: a cast of the facts

export const select = { portOf };
