// Calls a service, on its own machine unless a host is named: each line that it is given names a number, a path and
// perhaps a body to post; it prints the number with status and text of the answer, or status 0 where there is none.
import { createInterface } from 'node:readline';

const [, , port, host = '127.0.0.1'] = process.argv;

const call = async (line) => {
  const { number, path, body } = JSON.parse(line);
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let told = { number, status: 0, text: '' };
  try {
    const answer = await fetch(`http://${host}:${port}${path}`, body === undefined ? {} : init);
    told = { number, status: answer.status, text: await answer.text() };
  } catch {
    // Nobody listens yet.
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
};

createInterface({ input: process.stdin }).on('line', (line) => void call(line));
