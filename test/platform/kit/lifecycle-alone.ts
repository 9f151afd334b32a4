import { watchLifecycle } from './lifecycle-panels.ts';

// Four panels in whatever network this process has: each change of what they say is a line.
const [, , watched = ''] = process.argv;
// The test that starts this program writes what it is given.
const panels = watchLifecycle(JSON.parse(watched) as Parameters<typeof watchLifecycle>[0]);
let before = '';
setInterval(() => {
  const now = JSON.stringify(panels.view());
  if (now === before) return;
  before = now;
  process.stdout.write(`${now}\n`);
}, 50);
