import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

import { pino } from 'pino';

import { humanLine } from './human-line.ts';
import { stripIdentifying } from './identifying.ts';
import { createProtectedValues, plainFields, stripCredentials } from './redaction.ts';
import { createLogTail, type LogTail } from './tail.ts';

/** Lowest level that is written: each includes those after it. */
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** Writes one line: a message, and its facts as fields. */
type LogWrite = (message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** Of errors among the facts only class and code are written, never the message. */
interface Log {
  readonly trace: LogWrite;
  readonly debug: LogWrite;
  readonly info: LogWrite;
  readonly warn: LogWrite;
  readonly error: LogWrite;
  /** The same log with the part's name in every line. */
  readonly child: (part: string) => Log;
}

export interface Logger extends Log {
  /** Writes an error after which the process ends; the kept log then records a crash. */
  readonly fatal: LogWrite;
  /** Changes the level at once, for children too. */
  readonly setLevel: (level: LogLevel) => void;
  /**
   * Writes that the agent is ready. This is the only line with an address, that of the panel's page, and only in JSON
   * on standard output: a terminal shows it in another way, and viewers of the log are on the page already.
   */
  readonly ready: (facts: Readonly<Record<string, unknown>>, url: string) => void;
  readonly level: () => LogLevel;
  /** The newest lines, for viewers. */
  readonly tail: LogTail;
  /**
   * Keeps a secret string out of all later lines, until the returned function is called: in any position, or as a value
   * only if it is shorter than 8 characters.
   */
  readonly protect: (value: string) => () => void;
  /** Removes protected values, and credentials known by their shape, from any text. */
  readonly scrub: (text: string) => string;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Keys whose values are never written, at any depth, in any case. */
  readonly secretKeys: readonly string[];
  /** True for short lines; by default if standard output is a terminal. */
  readonly human?: boolean;
  /** Writes a line with its line break; by default synchronously to standard output. */
  readonly write?: (line: string) => void;
}

/** Keys that are always secret. */
const ALWAYS_SECRET = [
  'password',
  'pass',
  'passwd',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
];

/** Fields of the line itself, which no fact may override. */
const LINE_FIELDS = new Set(['level', 'time', 'msg', 'part']);

const STDOUT = 1;
/** Lines of this run kept in memory: as many as the disk keeps of all runs. */
const KEPT_LINES = 2000;
/** Attempts to write to a full pipe before the rest of a line is dropped. */
const WRITE_ATTEMPTS = 50;

/**
 * Writes to standard output synchronously, so that the last line before a crash is not lost. A reader that is gone or
 * far behind loses lines, but never blocks the agent.
 */
function writeOut(line: string): void {
  let rest = Buffer.from(line);
  for (let attempt = 0; attempt < WRITE_ATTEMPTS && rest.length > 0; attempt += 1) {
    try {
      rest = rest.subarray(writeSync(STDOUT, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
    }
  }
}

function isOpen(fd: number): boolean {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
}

/** Creates the log of the process: JSON lines, or short lines on a terminal, without secrets. */
export function createLogger(options: LoggerOptions): Logger {
  const secretKeys = new Set([...ALWAYS_SECRET, ...options.secretKeys].map((key) => key.toLowerCase()));
  const { protect, scrub } = createProtectedValues();
  const write = options.write ?? writeOut;
  const tail = createLogTail({ lines: KEPT_LINES, scrub });
  let beside: { readonly url: string } | null = null;
  const human = options.human ?? (isOpen(STDOUT) && isatty(STDOUT));
  const root = pino(
    {
      level: options.level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Scrubbed last, on the finished line, so that nothing is added afterwards.
    {
      write: (line) => {
        const clean = scrub(line);
        tail.keep(stripIdentifying(clean));
        if (human) write(scrub(humanLine(clean)));
        // Adds one more field at the end of the JSON object.
        else
          write(
            beside === null
              ? clean
              : scrub(`${clean.slice(0, clean.lastIndexOf('}'))},${JSON.stringify(beside).slice(1)}\n`),
          );
      },
    },
  );

  let level = options.level;
  const writeAt =
    (part: string | null, name: Exclude<LogLevel, 'silent'>): LogWrite =>
    (message, facts) => {
      if (!root.isLevelEnabled(name)) return;
      const fields = Object.entries(plainFields(facts ?? {}, secretKeys)).filter(([key]) => !LINE_FIELDS.has(key));
      root[name](Object.fromEntries(part === null ? fields : [['part', part], ...fields]), stripCredentials(message));
    };
  const logFor = (part: string | null): Log => {
    const at = (name: Exclude<LogLevel, 'silent'>): LogWrite => writeAt(part, name);
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (name) => logFor(part === null ? name : `${part}.${name}`),
    };
  };
  const log = logFor(null);
  return {
    ...log,
    fatal: writeAt(null, 'fatal'),
    ready: (facts, url) => {
      beside = { url };
      log.info('The agent is ready.', facts);
      beside = null;
    },
    setLevel: (wanted) => {
      level = wanted;
      root.level = wanted;
    },
    level: () => level,
    protect,
    scrub: (text) => scrub(stripCredentials(text)),
    tail,
  };
}
