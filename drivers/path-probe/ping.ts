import { runTool, toolOutput, type ToolEnv } from '#drivers/kit/run-tool.ts';

import { ECHO_BOUND_MS, ECHOES, type EchoWay, nothingSent } from './echo-way.ts';

/** Time limit of a burst: five echoes a second apart and two seconds for the last, nearly doubled as a margin. */
const BURST_BOUND_MS = 12_000;
/** Time limit of the single echo to this machine. */
const TRIAL_BOUND_MS = 3000;

/**
 * Arguments for the `ping` of both iputils and busybox: numeric output, number of echoes, one second for the last
 * answer.
 */
const argsFor = (address: string, echoes: number): readonly string[] => [
  '-n',
  '-c',
  String(echoes),
  '-W',
  String(ECHO_BOUND_MS / 1000),
  address,
];

/** Parses round trips in milliseconds from the output of `ping`, without duplicate and late answers. */
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
 * True if `ping` was given a socket, judged by its output: it then prints statistics even if nothing answers, or fails
 * at a later call. Its exit status is a failure either way.
 */
export const hasSocket = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): boolean =>
  /\bpackets transmitted\b/.test(stdout) || /^ping6?: (?:connect|bind|sendto|sendmsg): /m.test(stderr);

/**
 * Sends echoes with the program `ping`, for systems where it has privileges of its own or koffi is missing. Its exit
 * status is 0 only if an echo was answered.
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
