import { Home } from '../home-assistant/home.ts';

/** Sensors of the house. */
export const ENTITIES = 2000;

let started: Promise<Home> | undefined;

/** The Home Assistant of a large house, a voice and a demonstration home in it, that the tests here share. */
export function house(): Promise<Home> {
  started ??= Home.start(null, { speaks: true, entities: ENTITIES });
  return started;
}

/** Ends it. */
export async function closeHouse(): Promise<void> {
  await (await started)?.stop();
}
