import type { LookupFunction } from 'node:net';

/**
 * One lookup of a name at a time, and one that waits, the newest: the system's cannot be taken back, and each holds a
 * thread of which there are few.
 */
export function oneAtATime(look: LookupFunction): LookupFunction {
  let isBusy = false;
  let next: (() => void) | null = null;
  const begin: LookupFunction = (host, options, callback) => {
    isBusy = true;
    look(host, options, (...answer) => {
      isBusy = false;
      const due = next;
      next = null;
      due?.();
      callback(...answer);
    });
  };
  return (host, options, callback) => {
    if (!isBusy) begin(host, options, callback);
    else next = () => begin(host, options, callback);
  };
}
