import { afterAll, describe } from 'vitest';
import { closeOwn } from './outage/own.ts';

afterAll(closeOwn);

// Loaded within, so that what each sets up is of its own tests; the last one leaves Home Assistant killed.
describe('a panel through outages', async () => {
  await import('./outage/cycles.ts');
});
describe('what readers say of Home Assistant', async () => {
  await import('./outage/presence.ts');
});
