import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

import { pino } from 'pino';

import { humanLine } from './human-line.ts';
import { stripIdentifying } from './identifying.ts';
import { createProtectedValues, plainFields, stripCredentials } from './redaction.ts';
import { createLogTail, type LogTail } from './tail.ts';

/** How much is written: each level includes those after it. */
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** Writes one line: what happened in words, and its facts beside it. */
type LogWrite = (message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** A place to log to. Errors may be given as facts: their class and code are written, never their message. */
interface Log {
  readonly trace: LogWrite;
  readonly debug: LogWrite;
  readonly info: LogWrite;
  readonly warn: LogWrite;
  readonly error: LogWrite;
  /** The same log with the name of a part in every line. */
  readonly child: (part: string) => Log;
}

/** The log of the process. */
export interface Logger extends Log {
  /** Writes an error after which the process ends: what is kept of the log says that it crashed. */
  readonly fatal: LogWrite;
  /** Changes the level at once, for children too. */
  readonly setLevel: (level: LogLevel) => void;
  /**
   * Writes that the agent is ready. Of all lines this one has an address, that of the panel's own page, and only where
   * it is written: a person at a terminal is told in another way, and viewers of the log are there already.
   */
  readonly ready: (facts: Readonly<Record<string, unknown>>, url: string) => void;
  readonly level: () => LogLevel;
  /** The newest lines, for those who read from outside. */
  readonly tail: LogTail;
  /**
   * Keeps a secret string of at least 4 characters out of every later line, wherever it would stand, until the returned
   * function is called.
   */
  readonly protect: (value: string) => () => void;
  /** Takes out of any text what is kept out of the lines: protected values, and credentials known by their shape. */
  readonly scrub: (text: string) => string;
}

/** How a log is made. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** Keys whose values are never written, at any depth; compared without regard to case. */
  readonly secretKeys: readonly string[];
  /** Whether lines are for a person at a terminal; by default whether standard output is one. */
  readonly human?: boolean;
  /** Takes each line with its line break; by default standard output, written before the call returns. */
  readonly write?: (line: string) => void;
}

/** Keys that are secret whatever the settings say. */
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

/** Fields of the line itself, which no fact may write over. */
const LINE_FIELDS = new Set(['level', 'time', 'msg', 'part']);

const STDOUT = 1;
/** Lines of this run that are kept in memory: as many as the disk holds of all runs. */
const KEPT_LINES = 2000;
/** Attempts to write to a pipe whose reader is slow, before the rest of a line is given up. */
const WRITE_ATTEMPTS = 50;

/**
 * Writes to standard output before it returns, so that the last line before a crash is not lost. A reader that is gone
 * or far behind costs lines, never the agent.
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

/** Makes the log of the process: JSON lines, or short lines on a terminal; secrets are kept out by key and by value. */
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
    // Scrubbed last, on the finished line: nothing can be added after it.
    {
      write: (line) => {
        const clean = scrub(line);
        tail.keep(stripIdentifying(clean));
        if (human) write(scrub(humanLine(clean)));
        // One JSON object in a line, with one more field at its end.
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
