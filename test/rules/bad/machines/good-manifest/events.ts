export interface Thing {
  readonly name: string;
}
