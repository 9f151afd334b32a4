import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

import type * as Koffi from 'koffi';

import { NotHere } from '../guest-case.ts';

/** The very library through which compositors read their devices, with one device open. */
export interface Libinput {
  /** Touch events (down, up, motion) since the last question. */
  readonly touches: () => number;
  readonly close: () => void;
}

/** Numbers of libinput's touch events: down 500, up 501, motion 502. */
const isTouch = (type: number): boolean => type >= 500 && type <= 502;

/**
 * Opens a touch screen as a compositor does. Tags it first, which udev does on a machine that runs one; `/run` must be
 * writable.
 */
export function openLibinput(path: string): Libinput {
  const name = basename(path);
  const device = readFileSync(`/sys/class/input/${name}/dev`, 'utf8').trim();
  mkdirSync('/run/udev/data', { recursive: true });
  writeFileSync(`/run/udev/data/c${device}`, 'I:1000\nE:ID_INPUT=1\nE:ID_INPUT_TOUCHSCREEN=1\n');
  // The package's own types describe what its entry exports.
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  let library: Koffi.LibraryHandle;
  try {
    library = koffi.load('libinput.so.10');
  } catch {
    throw new NotHere('this machine has no libinput');
  }
  const opener = koffi.proto('int SconceOpenRestricted(const char *path, int flags, void *user)');
  const closer = koffi.proto('void SconceCloseRestricted(int fd, void *user)');
  koffi.struct('SconceLibinputInterface', {
    open_restricted: koffi.pointer(opener),
    close_restricted: koffi.pointer(closer),
  });
  const open = koffi.register((file: string, flags: number) => openSync(file, flags), koffi.pointer(opener));
  const close = koffi.register((fd: number) => closeSync(fd), koffi.pointer(closer));
  const create = library.func(
    'void *libinput_path_create_context(const SconceLibinputInterface *interface, void *user)',
  );
  const add = library.func('void *libinput_path_add_device(void *context, const char *path)');
  const dispatch = library.func('int libinput_dispatch(void *context)');
  const next = library.func('void *libinput_get_event(void *context)');
  const typeOf = library.func('int libinput_event_get_type(void *event)');
  const destroy = library.func('void libinput_event_destroy(void *event)');
  const unref = library.func('void *libinput_unref(void *context)');
  // It keeps the pointer for as long as it lives.
  const table = koffi.alloc('SconceLibinputInterface', 1);
  koffi.encode(table, 'SconceLibinputInterface', { open_restricted: open, close_restricted: close });
  const context: unknown = create(table, null);
  if (add(context, path) === null) throw new Error('libinput does not take the device');
  return {
    touches: () => {
      dispatch(context);
      let count = 0;
      for (let event: unknown = next(context); event !== null; event = next(context)) {
        if (isTouch(Number(typeOf(event)))) count += 1;
        destroy(event);
      }
      return count;
    },
    close: () => void unref(context),
  };
}
