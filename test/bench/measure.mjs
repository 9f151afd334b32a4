// What the bench measures with: processes, free ports, a bounded load generator, medians.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const started = new Set();

/** Starts a program and remembers it, so that it is ended by its process id. */
export const start = (command, args, env = process.env) => {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors = (errors + chunk).slice(-2000)));
  const entry = { child, errors: () => errors };
  started.add(entry);
  child.once('exit', () => started.delete(entry));
  child.once('error', () => started.delete(entry));
  return entry;
};

export const end = async ({ child }) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 6_000);
  await gone;
  clearTimeout(timer);
};

export const endAll = () => Promise.all([...started].map(end));

export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

/** Status of `GET /health`, or 0 while nobody answers. */
const health = (port) =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', () => resolve(0));
  });

/** Milliseconds from the start of a program to its first 200 on /health. */
export const firstAnswer = async (launch, port) => {
  const began = performance.now();
  const program = launch();
  while ((await health(port)) !== 200) {
    if (program.child.exitCode !== null) throw new Error(`ended while starting: ${program.errors()}`);
    if (performance.now() - began > 20_000) throw new Error(`no answer within 20 s: ${program.errors()}`);
    await pause(1);
  }
  return { program, ms: performance.now() - began };
};

/** Resident memory of a process in MB (Linux). */
export const residentMb = ({ child }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024;

/** Processor time a process has used so far, in seconds; Linux counts it in hundredths. */
export const processorSeconds = ({ child }) => {
  // The command in parentheses may contain spaces; fields are counted after it.
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Requests per second of /health over keep-alive connections, one request in flight on each. */
export const requestsPerSecond = async (port, { connections = 8, forMs = 2_000 } = {}) => {
  const request = Buffer.from(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  let done = 0;
  let refused;
  const began = performance.now();
  const one = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let buffered = '';
      socket.setNoDelay(true);
      socket.once('connect', () => socket.write(request));
      socket.on('data', (chunk) => {
        buffered += chunk.toString('latin1');
        const head = buffered.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, head))?.[1] ?? 0);
        const chunked = /transfer-encoding: chunked/i.test(buffered.slice(0, head));
        if (chunked ? !buffered.endsWith('0\r\n\r\n') : buffered.length < head + 4 + length) return;
        if (!buffered.startsWith('HTTP/1.1 200')) refused ??= buffered.split('\r\n')[0];
        buffered = '';
        done += 1;
        if (refused !== undefined || performance.now() - began >= forMs) socket.destroy();
        else socket.write(request);
      });
      socket.once('error', (error) => (refused ??= error.message));
      socket.once('close', resolve);
    });
  await Promise.all(Array.from({ length: connections }, one));
  if (refused !== undefined) throw new Error(`/health under load: ${refused}`);
  return (done * 1000) / (performance.now() - began);
};

export const quantile = (values, q) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
};

export const median = (values) => quantile(values, 0.5);
