import { describe, it } from 'vitest';

describe('the incarnation of an actor', () => { // refused: incarnation -> generation
  it.each([1, 2])('has a stand-in of %d', () => undefined); // refused: stand-in -> fallback page
});
export const eyeOf = (field: object): object => field; // refused: eye -> password toggle
