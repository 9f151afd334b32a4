export interface Manifest {
  readonly name: string;
}
export const subsystem = (manifest: Manifest): Manifest => manifest;
