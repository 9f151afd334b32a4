import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What may be published of an error: never its message, which may carry an address, nor a path outside the bundle. */
export interface CrashFacts {
  /** Name of its class; `unknown` for anything that is not an error. */
  readonly class: string;
  /** Its stable code, or that of its nearest cause with one; null if none has one. */
  readonly code: string | null;
  /** Where it was thrown, innermost first: at most five of `function file:line:column`, relative to the bundle. */
  readonly frames: readonly string[];
}

/** How many causes are searched for a code. */
const DEEPEST_CAUSE = 3;
const MOST_FRAMES = 5;
/** Longest frame, in characters. */
const FRAME_LENGTH = 160;
/** How much of a stack after its header is read, in characters: V8 writes ten lines of about a hundred. */
const STACK_LENGTH = 16_384;
/** Longest line of a stack that is read, in characters. */
const LINE_LENGTH = 1000;
/** Messages at least this long are no names of functions or files: a frame that contains one is forged. */
const FORGING_MESSAGE = 8;

const CODE = /^[\w.-]{1,80}$/;
const CLASS = /^[\w$.]{1,80}$/;
/** What V8 writes before the message: the name of the class, and for Node's own errors their code. */
const HEADER = /^(?:[\w$.]{1,80}(?: \[[\w-]{1,80}\])?(?:: )?)?/;
const FUNCTION = /^(?:new )?[\w$.<>#]{1,80}$/;
const FILE = /^[\w$./@+-]{1,150}$/;
const PLACE = /^(.+):(\d{1,9}):(\d{1,9})$/;
const NAMED = /^(?:async )?(.*?) (?:\[as [^\]]*\] )?\(((?:file:|node:|\/).*)\)$/;

/** A field of an unknown value; undefined if reading it throws. */
function fieldOf(thing: unknown, key: 'name' | 'code' | 'cause' | 'message' | 'stack'): unknown {
  try {
    // Only objects have fields; the caller validates the value.
    return typeof thing === 'object' && thing !== null ? (thing as Readonly<Record<string, unknown>>)[key] : undefined;
  } catch {
    return undefined;
  }
}

const matching = (value: unknown, pattern: RegExp): string | null =>
  typeof value === 'string' && pattern.test(value) ? value : null;

function codeOf(error: unknown): string | null {
  let one = error;
  for (let depth = 0; depth <= DEEPEST_CAUSE; depth += 1) {
    const code = matching(fieldOf(one, 'code'), CODE);
    if (code !== null) return code;
    one = fieldOf(one, 'cause');
  }
  return null;
}

/**
 * The part of a stack after its header. Empty if header and message do not match, since a message may contain lines
 * that look like frames.
 */
function behindHeader(stack: string, message: string): string {
  const [header = ''] = HEADER.exec(stack) ?? [];
  if (!stack.startsWith(message, header.length)) return '';
  const from = header.length + message.length;
  return stack.startsWith('\n', from) ? stack.slice(from, from + STACK_LENGTH) : '';
}

function fileIn(bundle: string, place: string): string | null {
  if (place.startsWith('node:')) return matching(place.slice('node:'.length), FILE) === null ? null : place;
  try {
    const path = place.startsWith('file:') ? fileURLToPath(place) : place;
    const file = isAbsolute(path) ? relative(bundle, path) : '';
    return file === '..' || file.startsWith('../') || isAbsolute(file) ? null : matching(file, FILE);
  } catch {
    return null;
  }
}

function frameOf(line: string, bundle: string): string | null {
  if (line.length > LINE_LENGTH || !/^\s+at /.test(line)) return null;
  const text = line.trim().slice('at '.length);
  const [, name = '', inside = text.replace(/^async /, '')] = NAMED.exec(text) ?? [];
  const [, place = '', row = '', column = ''] = PLACE.exec(inside) ?? [];
  const file = fileIn(bundle, place);
  if (file === null) return null;
  const frame = `${matching(name, FUNCTION) ?? '<anonymous>'} ${file}:${row}:${column}`;
  return frame.length <= FRAME_LENGTH ? frame : null;
}

function framesOf(error: unknown, bundle: string): readonly string[] {
  const stack = fieldOf(error, 'stack');
  const message = fieldOf(error, 'message');
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  return behindHeader(stack, message)
    .split('\n')
    .map((line) => frameOf(line, bundle))
    .filter((frame) => frame !== null)
    .filter((frame) => message.length < FORGING_MESSAGE || !frame.includes(message))
    .slice(0, MOST_FRAMES);
}

/** What may be published of any thrown value; never throws. `bundle` is the folder of the running bundle. */
export const crashFactsOf = (error: unknown, bundle: string): CrashFacts => ({
  class: matching(fieldOf(error, 'name'), CLASS) ?? 'unknown',
  code: codeOf(error),
  frames: framesOf(error, bundle),
});

/** The code that a crash is reported by: that of the error, or its class. */
export const crashCode = (facts: CrashFacts): string => facts.code ?? facts.class;
