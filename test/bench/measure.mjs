// What the bench measures with: processes, free ports, a bounded load generator, medians.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const started = new Set();

/**
 * Starts a program and remembers it, so that it is ended by its process id; its standard input may be the standard
 * output of another, which was started with `output`.
 */
export function start(command, args, { env = process.env, input, output = 'ignore' } = {}) {
  const child = spawn(command, args, { stdio: [input?.child.stdout ?? 'ignore', output, 'pipe'], env });
  // The program alone reads it.
  input?.child.stdout.destroy();
  let errors = '';
  child.stderr.on('data', (chunk) => (errors = (errors + chunk).slice(-2000)));
  const entry = { child, errors: () => errors };
  started.add(entry);
  child.once('exit', () => started.delete(entry));
  child.once('error', () => started.delete(entry));
  return entry;
}

export async function end({ child }) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 6_000);
  await gone;
  clearTimeout(timer);
}

export const endAll = () => Promise.all([...started].map(end));

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Status and text of a GET on a separate connection; status 0 while the agent does not answer. */
const ask = (port, path) =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.once('end', () => resolve({ status: response.statusCode, text }));
    });
    request.once('error', () => resolve({ status: 0, text: '' }));
  });

/**
 * Milliseconds from the start of a program to its first 200 on /health, and until it is ready: the whole page at `/`
 * was served too.
 */
export async function startTimes(launch, port) {
  const began = performance.now();
  const program = launch();
  const within = async (isThere) => {
    while (!(await isThere())) {
      if (program.child.exitCode !== null) throw new Error(`ended while starting: ${program.errors()}`);
      if (performance.now() - began > 20_000) throw new Error(`no answer within 20 s: ${program.errors()}`);
      await pause(1);
    }
    return performance.now() - began;
  };
  const first = await within(async () => (await ask(port, '/health')).status === 200);
  const ready = await within(async () => {
    const { status, text } = await ask(port, '/');
    return status === 200 && text.endsWith('</html>');
  });
  return { program, first, ready };
}

export async function saveSettings(port, settings) {
  const saved = await fetch(`http://127.0.0.1:${port}/api/v1/config`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (!saved.ok) throw new Error(`the settings were refused: ${saved.status}`);
}

/** A process and all that it started, by process id (Linux). */
const family = (pid) => [
  pid,
  ...readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number).flatMap(family),
  ),
];

const residentOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** Resident memory of a process in MB (Linux). */
export const residentMb = ({ child }) => residentOf(child.pid);

/** The same with all that it started; what they share is counted for each. */
export const familyMb = ({ child }) => family(child.pid).reduce((sum, pid) => sum + residentOf(pid), 0);

/** Processor time a process and all that it started have used so far, in seconds; Linux counts it in hundredths. */
export const processorSeconds = ({ child }) =>
  family(child.pid).reduce((sum, pid) => {
    // The command in parentheses may contain spaces; fields are counted after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);

/** Processor time of all threads of a process in milliseconds, counted finer than the hundredths of `stat` (Linux). */
export const processorMs = ({ child: { pid } }) =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  );

/** Requests per second of /health over keep-alive connections, one request in flight on each. */
export async function requestsPerSecond(port, { connections = 8, forMs = 2_000 } = {}) {
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
}

export function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

export const median = (values) => quantile(values, 0.5);
