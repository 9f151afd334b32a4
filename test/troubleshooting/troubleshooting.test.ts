import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { troubleshooting } from './page.ts';

const file = fileURLToPath(new URL('../../TROUBLESHOOTING.md', import.meta.url));

describe('TROUBLESHOOTING.md', () => {
  it('says what the verdicts say; "npm run record-troubleshooting" writes it anew', async () => {
    await expect(troubleshooting()).toMatchFileSnapshot(file);
  });
});
