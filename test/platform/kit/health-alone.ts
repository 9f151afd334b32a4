import { watchHealth } from './health-watch.ts';

// The connection of a panel, in whatever network this process has: each change of its health line is a line.
const [, , url = '', token = ''] = process.argv;
const watch = watchHealth(url, token, 300);
let before = '';
setInterval(() => {
  const now = watch.tokens();
  if (now === before) return;
  before = now;
  process.stdout.write(`${now}\n`);
}, 20);
