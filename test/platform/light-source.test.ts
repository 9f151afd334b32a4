import { afterAll, describe } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { closeLit } from './light/lit.ts';

afterAll(closeLit);

// Loaded within, so that what each sets up is of its own tests; the last one kills Home Assistant.
// The panel walks most of it too.
if (amount(false, true))
  describe('the light of a room, from Home Assistant, for an account without rights', async () => {
    await import('./light/connection.ts');
  });
describe('a panel that follows the light of Home Assistant', async () => {
  await import('./light/panel.ts');
});
