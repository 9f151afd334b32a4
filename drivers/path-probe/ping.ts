import { runTool, toolOutput, type ToolEnv } from '#drivers/kit/run-tool.ts';

import { ECHO_BOUND_MS, ECHOES, type EchoWay, nothingSent } from './echo-way.ts';

/** Longest time for a burst: five echoes a second apart and two seconds for the last, with as much again to spare. */
const BURST_BOUND_MS = 12_000;
/** Longest time for the one echo to the machine itself. */
const TRIAL_BOUND_MS = 3000;

/** Arguments that ping of iputils and of busybox both take: numbers only, so many echoes, a second for the last. */
const argsFor = (address: string, echoes: number): readonly string[] => [
  '-n',
  '-c',
  String(echoes),
  '-W',
  String(ECHO_BOUND_MS / 1000),
  address,
];

/** Milliseconds of the answers in what `ping` printed, without answers that came twice or too late. */
export const readPing = (text: string): readonly number[] =>
  text
    .split('\n')
    .filter((line) => !line.includes('(DUP!)'))
    .flatMap((line) => {
      const found = /seq=\d+ .*\btime[=<](\d{1,7}(?:\.\d{1,6})?) ?ms/.exec(line);
      return found === null ? [] : [Number(found[1])];
    })
    .filter((ms) => ms <= ECHO_BOUND_MS)
    .slice(0, ECHOES);

/**
 * Whether `ping` was given a socket, by what it printed: it then counts what it sent, also where nothing answers, or
 * fails at a later call. It ends in failure either way.
 */
export const hasSocket = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): boolean =>
  /\bpackets transmitted\b/.test(stdout) || /^ping6?: (?:connect|bind|sendto|sendmsg): /m.test(stderr);

/**
 * The way by the program `ping`: where it brings rights of its own, or Node can make no system calls. It ends well when
 * it was answered, and fails when it was not.
 */
export const pingWay = (env: ToolEnv = process.env): EchoWay => ({
  works: async (family, signal) => {
    const own = family === 'ipv4' ? '127.0.0.1' : '::1';
    const trial = await toolOutput('ping', argsFor(own, 1), env, signal, TRIAL_BOUND_MS);
    return trial.ok && hasSocket(trial.value);
  },
  burst: async ({ address }, signal) => {
    const answer = await runTool('ping', argsFor(address, ECHOES), env, signal, BURST_BOUND_MS);
    if (answer.ok) return { sent: ECHOES, roundTripsMs: readPing(answer.value) };
    return answer.reason === 'failed' ? { sent: ECHOES, roundTripsMs: [] } : nothingSent;
  },
});
