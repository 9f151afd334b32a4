import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PASSWD, until } from '#test/broker/mosquitto.ts';

import type { Machine, Program } from './lan.ts';

const SERVICE = '_home-assistant._tcp.local';

/** What a Home Assistant of that name announces; with a time to live of 0, its farewell. */
export const advert = (name: string, address: string, ttl = 120) => [
  { type: 'PTR', name: SERVICE, ttl, data: `${name}.${SERVICE}` },
  { type: 'SRV', name: `${name}.${SERVICE}`, ttl, data: { target: `${name}.local`, port: 8123 } },
  { type: 'TXT', name: `${name}.${SERVICE}`, ttl, data: [`uuid=${name}`] },
  { type: 'A', name: `${name}.local`, ttl, data: address },
];

/** Writes the configuration of a mosquitto that requires the password; returns its path. */
export function configureBroker(folder: string, user: string, password: string): string {
  const passwords = join(folder, 'passwords');
  execFileSync(PASSWD, ['-b', '-c', passwords, user, password]);
  const file = join(folder, 'conf');
  const lines = ['listener 1883 0.0.0.0', 'allow_anonymous false', `password_file ${passwords}`, 'user root', ''];
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** Status, headers and body of an answer; status 0 where there is none. */
export interface Called {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A request that is not a plain GET, nor a POST of JSON. */
export interface RawCall {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Asks a program that answers each line, a message with a number, by a line with that number first. */
export function conversation(program: Pick<Program, 'printed' | 'tell'>) {
  let number = 0;
  let read = 0;
  const answers = new Map<number, string>();
  /** Takes the lines that came since the last look: all that was printed is much, and looked at often. */
  const take = (): void => {
    const text = program.printed();
    const end = text.lastIndexOf('\n') + 1;
    if (end <= read) return;
    for (const line of text.slice(read, end - 1).split('\n')) {
      const [, answered] = /^\{"number":(\d+),/.exec(line) ?? [];
      if (answered !== undefined) answers.set(Number(answered), line);
    }
    read = end;
  };
  return async (what: string, message: object): Promise<string> => {
    number += 1;
    const mine = number;
    program.tell(JSON.stringify({ number: mine, ...message }));
    const answer = await until(what, () => {
      take();
      return answers.get(mine);
    });
    answers.delete(mine);
    return answer;
  };
}

/** Calls the service at `host` from a machine; with a body it posts JSON. */
export function callerOn(machine: Machine, program: string, port: number, host: string) {
  const ask = conversation(machine.start(process.execPath, program, String(port), host));
  return async (path: string, body?: object, raw?: RawCall): Promise<Called> =>
    // As the caller prints it.
    JSON.parse(await ask(path, { path, body, ...raw })) as Called;
}
