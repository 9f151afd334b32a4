// Calls a service, on its own machine unless a host is named: each line that it is given names a number, a path and
// perhaps a body to post as JSON, or method, headers and text of its own; it prints the number with status, headers and
// text of the answer, or status 0 where there is none. Redirects are not followed.
import { createInterface } from 'node:readline';

const [, , port, host = '127.0.0.1'] = process.argv;

async function call(line) {
  const { number, path, body, method, headers, text } = JSON.parse(line);
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const init = body === undefined ? { method, headers, body: text } : json;
  let told = { number, status: 0, headers: {}, text: '' };
  try {
    const answer = await fetch(`http://${host}:${port}${path}`, { redirect: 'manual', ...init });
    told = { number, status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  } catch {
    // Not listening yet.
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => void call(line));
