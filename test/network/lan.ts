import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

import { makeNet, type Net } from './routed.ts';

const run = promisify(execFile);

/** A program that runs on a machine of the network. */
export interface Program {
  /** Of the process that was started, whatever it became since. */
  readonly pid: number;
  /** What it printed so far. */
  readonly printed: () => string;
  /** Writes a line to it. */
  readonly tell: (line: string) => void;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
  /** Kills it, and waits for its end. */
  readonly kill: () => Promise<void>;
}

/** A machine of the network; nothing reaches it from elsewhere. */
export interface Machine {
  readonly address: string;
  /** The command that runs a command on it. */
  readonly inside: (...command: readonly string[]) => readonly [string, ...string[]];
  readonly start: (...command: readonly string[]) => Program;
}

/** Machines at one switch: `10.99.0.1` and so on. */
export interface Lan {
  readonly machines: readonly Machine[];
  /** Ends every program, and removes the network. */
  readonly remove: () => Promise<void>;
}

const machineIn = (net: Net, address: string, started: Set<Program>): Machine => ({
  address,
  inside: net.inside,
  start: (...command) => {
    const [enter, ...args] = net.inside(...command);
    const child: ChildProcess = spawn(enter, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const program: Program = {
      pid: child.pid ?? -1,
      printed: () => printed,
      tell: (line) => void child.stdin?.write(`${line}\n`),
      ended,
      kill: async () => {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        await ended;
        started.delete(program);
      },
    };
    started.add(program);
    return program;
  },
});

/** Makes a network of so many machines; the switch is in the first. Needs what `whyNoNamespaces` asks for. */
export async function makeLan(count: number): Promise<Lan> {
  const nets: Net[] = [];
  const started = new Set<Program>();
  const remove = async (): Promise<void> => {
    await Promise.all([...started].map((program) => program.kill()));
    await Promise.all(nets.map((net) => net.remove()));
  };
  const addressOf = (index: number): string => `10.99.0.${index + 1}`;
  const ip = async (net: Net, line: string): Promise<void> => {
    const [enter, ...args] = net.inside('ip', ...line.split(' '));
    await run(enter, args);
  };
  try {
    for (let index = 0; index < count; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after another: each is plugged into the first
      const net = await makeNet();
      nets.push(net);
      const port = `port${index}`;
      const lines: readonly (readonly [Net, string])[] =
        index === 0
          ? [[net, 'link add lan type bridge']]
          : [
              [nets[0] ?? net, `link add ${port} type veth peer name lan netns ${net.pid}`],
              [nets[0] ?? net, `link set ${port} master lan up`],
            ];
      const own = ['link set lo up', `addr add ${addressOf(index)}/24 dev lan`, 'link set lan up'];
      // oxlint-disable-next-line no-await-in-loop -- in this order
      for (const [where, line] of [...lines, ...own.map((one) => [net, one] as const)]) await ip(where, line);
    }
  } catch (error) {
    await remove();
    throw new Error('the network of the test could not be made', { cause: error });
  }
  return { machines: nets.map((net, index) => machineIn(net, addressOf(index), started)), remove };
}
