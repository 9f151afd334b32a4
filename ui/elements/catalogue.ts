import type { catalogue as served } from '../strings/catalogue.ts';

const read = (): typeof served => {
  const text = document.getElementById('strings')?.textContent ?? '{}';
  // The server wrote the block from the same catalogue; a missing key shows as the key itself.
  return JSON.parse(text) as typeof served;
};

/** The strings of this page, from the data block that the server put before the script. */
export const catalogue: typeof served = read();
