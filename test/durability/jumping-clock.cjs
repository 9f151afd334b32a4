// Loaded before an agent: with each SIGUSR2 all its clocks are as many milliseconds further as the file says that
// SCONCE_JUMP names. Timers are not: they last as long as ever.
const { readFileSync } = require('node:fs');

let ahead = 0;
const [date, elapsed] = [Date.now, performance.now.bind(performance)];
Date.now = () => date() + ahead;
performance.now = () => elapsed() + ahead;
process.on('SIGUSR2', () => {
  ahead += Number(readFileSync(process.env.SCONCE_JUMP, 'utf8'));
  process.stdout.write(`ahead by ${ahead}\n`);
});
