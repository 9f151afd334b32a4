// Looks into a browser that listens on a DevTools port of its machine, and touches nothing there: each line that it is
// given names a number, and perhaps the path of a page and an expression; it prints the number with the addresses of
// all pages and the value of the expression in that page as text, "" without such a page.
import { createInterface } from 'node:readline';
import WebSocket from 'ws';

const [, , port] = process.argv;

const valueIn = (address, expression) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const params = { expression, returnByValue: true };
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params })));
    socket.on('message', (text) => {
      resolve(String(JSON.parse(text).result?.result?.value ?? ''));
      socket.close();
    });
    socket.on('close', () => resolve(''));
    socket.on('error', reject);
  });

async function look(line) {
  const { number, path, expression } = JSON.parse(line);
  const seen = { number, pages: [], value: '' };
  try {
    const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
    const pages = targets.filter(({ type }) => type === 'page');
    seen.pages = pages.map(({ url }) => url);
    const page = pages.find(({ url }) => URL.canParse(url) && new URL(url).pathname === path);
    if (page !== undefined) seen.value = await valueIn(page.webSocketDebuggerUrl, expression);
  } catch {
    // No browser yet, or the page went in between.
  }
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => void look(line));
