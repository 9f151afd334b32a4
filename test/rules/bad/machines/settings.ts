import { subsystems } from './subsystems.ts';

export interface Settings {
  readonly name: string;
}
export const settings = subsystems.map(({ name }) => name);
