import { createRequire } from 'node:module';
import { constants, endianness } from 'node:os';

import type * as Koffi from 'koffi';

/**
 * The few system calls that Node does not offer. koffi (4 MB, 11 ms) is loaded at the first use; a machine without a
 * build of it gets null instead of a crash.
 */
export interface NativeCalls {
  /** Opens a socket, which the caller closes; null if the system refuses. */
  readonly openSocket: (domain: number, type: number, protocol: number) => number | null;
  /** Sends one datagram to a Unix socket without blocking; null on success, else the POSIX name of the error. */
  readonly sendUnixDatagram: (path: string, payload: string) => string | null;
  /**
   * Makes the kernel send SIGIO to this process when the open file becomes readable; null on success, else the POSIX
   * name of the error.
   */
  readonly signalWhenReadable: (fd: number) => string | null;
  /**
   * Grabs an input device for this open file, so that no other program gets its events, or releases it; null on
   * success, else the POSIX name of the error.
   */
  readonly grabInput: (fd: number, on: boolean) => string | null;
  /**
   * One ioctl with a structure in `bytes`, which the kernel reads and fills; null on success, else the POSIX name of
   * the error.
   */
  readonly ioctl: (fd: number, request: number, bytes: Uint8Array) => string | null;
  /**
   * Locks an open file without waiting (flock(2)); null on success, else the POSIX name of the error, `EAGAIN` if
   * another open file has the lock.
   */
  readonly flock: (fd: number, kind: 'exclusive' | 'shared') => string | null;
  /** Keys of an input device that are down now, and switches that are closed; null if the device cannot tell. */
  readonly inputState: (
    fd: number,
  ) => { readonly keys: readonly number[]; readonly switches: readonly number[] } | null;
}

/** Address families and protocols of Linux, the same on every architecture that Node runs on. */
export const SOCKET = {
  AF_UNIX: 1,
  AF_INET: 2,
  AF_INET6: 10,
  SOCK_DGRAM: 2,
  IPPROTO_ICMP: 1,
  IPPROTO_ICMPV6: 58,
} as const;

/** Keeps processes that the agent starts from inheriting the socket. */
const SOCK_CLOEXEC = 0o2000000;
/** A receiver with a full queue must not block the event loop, nor a closed one kill the process with a signal. */
const MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;
/** Operations of flock(2) on Linux: shared, exclusive, not blocking. */
const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;
/** Commands and flags of fcntl(2) on Linux's common architectures. */
const F_GETFL = 3;
const F_SETFL = 4;
const F_SETOWN = 8;
const O_ASYNC = 0o20000;
/** Requests to input devices (linux/input.h), and the size of the answers: one bit per key, one per switch. */
const GRAB = 0x90;
const KEY_STATE = 0x18;
const SWITCH_STATE = 0x1b;
const KEY_BYTES = 96;
const SWITCH_BYTES = 8;
/** Size of `sun_path` in `struct sockaddr_un`. */
const PATH_BYTES = 108;

/**
 * The running process has the C library loaded (null); the names are for builds that link it in without visible
 * symbols.
 */
const LIBRARIES = [
  null,
  'libc.so.6',
  'libc.musl-x86_64.so.1',
  'libc.musl-aarch64.so.1',
  'libc.musl-armhf.so.1',
  'libc.so',
] as const;

/**
 * Number of an ioctl to an input device: direction, size, the letter E, its number. PowerPC and MIPS encode the
 * direction differently.
 */
function inputRequest(direction: 'read' | 'write', request: number, bytes: number): number {
  const other = ['ppc64', 'ppc', 'mips', 'mipsel'].includes(process.arch);
  const bits = direction === 'read' ? 2 : other ? 4 : 1;
  return bits * 2 ** (other ? 29 : 30) + bytes * 2 ** 16 + 0x45 * 2 ** 8 + request;
}

const bitsIn = (bytes: Uint8Array): readonly number[] =>
  Array.from(bytes).flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte >> bit) & 1 ? [index * 8 + bit] : [])),
  );

const errorName = (errno: number): string =>
  Object.entries(constants.errno).find(([, value]) => value === errno)?.[0] ?? 'unknown';

/**
 * `struct sockaddr_un`, cut to its length, for a path or an abstract name with a leading `@`; null if it is empty or
 * too long.
 */
export function unixAddress(path: string): Uint8Array | null {
  const name = Buffer.from(path);
  const isAbstract = path.startsWith('@');
  if (name.length === 0 || name.length > PATH_BYTES - (isAbstract ? 0 : 1)) return null;
  if (isAbstract) name[0] = 0;
  const address = Buffer.alloc(2 + name.length + (isAbstract ? 0 : 1));
  if (endianness() === 'LE') address.writeUInt16LE(SOCKET.AF_UNIX, 0);
  else address.writeUInt16BE(SOCKET.AF_UNIX, 0);
  name.copy(address, 2);
  return address;
}

/** Required, not imported: the bundle starts from V8's code cache, in which a dynamic import cannot be resolved. */
function loadKoffi(): typeof Koffi | null {
  try {
    // The package's types describe its exports.
    return createRequire(import.meta.url)('koffi') as typeof Koffi;
  } catch {
    return null;
  }
}

function bind(): NativeCalls | null {
  const koffi = loadKoffi();
  if (koffi === null) return null;
  for (const library of LIBRARIES) {
    try {
      const libc = koffi.load(library);
      const socket = libc.func('int socket(int domain, int type, int protocol)');
      const close = libc.func('int close(int fd)');
      const sendto = libc.func(
        'intptr_t sendto(int fd, const uint8_t *buf, size_t len, int flags, const uint8_t *addr, uint32_t addrlen)',
      );
      const fcntl = libc.func('int fcntl(int fd, int cmd, ...)');
      const flock = libc.func('int flock(int fd, int operation)');
      const ioctl = libc.func('int ioctl(int fd, unsigned long request, ...)');
      const bitsOf = (fd: number, request: number, bytes: number): readonly number[] | null => {
        const filled = Buffer.alloc(bytes);
        return Number(ioctl(fd, inputRequest('read', request, bytes), 'void *', filled)) < 0 ? null : bitsIn(filled);
      };
      const control = (fd: number, command: number, value: number): number => Number(fcntl(fd, command, 'int', value));
      const open = (domain: number, type: number, protocol: number): number =>
        Number(socket(domain, type | SOCK_CLOEXEC, protocol));
      return {
        openSocket: (domain, type, protocol) => {
          const fd = open(domain, type, protocol);
          return fd < 0 ? null : fd;
        },
        sendUnixDatagram: (path, payload) => {
          const address = unixAddress(path);
          if (address === null) return 'ENAMETOOLONG';
          const fd = open(SOCKET.AF_UNIX, SOCKET.SOCK_DGRAM, 0);
          if (fd < 0) return errorName(koffi.errno());
          const bytes = Buffer.from(payload);
          const sent = Number(sendto(fd, bytes, bytes.length, MSG_DONTWAIT_NOSIGNAL, address, address.length));
          const failure = sent < 0 ? errorName(koffi.errno()) : null;
          close(fd);
          return failure;
        },
        signalWhenReadable: (fd) => {
          const flags = control(fd, F_GETFL, 0);
          if (flags < 0 || control(fd, F_SETOWN, process.pid) < 0 || control(fd, F_SETFL, flags | O_ASYNC) < 0)
            return errorName(koffi.errno());
          return null;
        },
        ioctl: (fd, request, bytes) =>
          Number(ioctl(fd, request, 'void *', bytes)) < 0 ? errorName(koffi.errno()) : null,
        flock: (fd, kind) =>
          Number(flock(fd, (kind === 'shared' ? LOCK_SH : LOCK_EX) | LOCK_NB)) < 0 ? errorName(koffi.errno()) : null,
        // As wide as a pointer: the kernel reads all of it, and any bit set means yes.
        grabInput: (fd, on) =>
          Number(ioctl(fd, inputRequest('write', GRAB, 4), 'intptr_t', on ? 1 : 0)) < 0
            ? errorName(koffi.errno())
            : null,
        inputState: (fd) => {
          const keys = bitsOf(fd, KEY_STATE, KEY_BYTES);
          return keys === null ? null : { keys, switches: bitsOf(fd, SWITCH_STATE, SWITCH_BYTES) ?? [] };
        },
      };
    } catch {
      // This library or its symbols are missing here; the next one may exist.
    }
  }
  return null;
}

let bound: Promise<NativeCalls | null> | undefined;

/** The native calls, bound once per process; null on a machine without a build of koffi or a known C library. */
export function nativeCalls(): Promise<NativeCalls | null> {
  bound ??= Promise.resolve(bind());
  return bound;
}
