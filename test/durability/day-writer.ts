import { numberedRows, ROWS } from './day-rows.ts';

/**
 * A process that only appends rows to files of days: it prints `found <highest number>`, and after each append
 * `acknowledged <highest number>` or `refused <code>`. Arguments: folder, number of appends (0: endless), bytes of
 * ballast in each row. It is killed from outside.
 */
const [folder = '', count = '0', ballast = '0'] = process.argv.slice(2);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const files = numberedRows(folder, Number(ballast));
let highest = Math.max(0, ...(await files.read()));
say(`found ${highest}`);
// Whatever was torn off, the numbers go on with a full ten.
highest = Math.ceil(highest / ROWS) * ROWS;
const appends = count === '0' ? Number.POSITIVE_INFINITY : Number(count);
for (let append = 0; append < appends; append += 1) {
  // oxlint-disable-next-line no-await-in-loop -- one append after another
  const code = await files.append(Array.from({ length: ROWS }, (_, index) => highest + 1 + index));
  if (code === null) highest += ROWS;
  say(code === null ? `acknowledged ${highest}` : `refused ${code}`);
}
