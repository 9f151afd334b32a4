import { subsystem } from './elsewhere.ts';

export interface Flight { // refused: flight -> in flight
  readonly isBarred: boolean; // refused: barred -> banned
}
export const onGlass = (name: string): string => name; // refused: glass -> kiosk, screen, offline page
export const rouse = 1; // refused: rouse -> wake up
export const part = subsystem({
  ids: ['incarnation'], // refused: incarnation -> generation
});
