import type { LookupFunction } from 'node:net';

/**
 * Runs one name lookup at a time, and keeps the newest of those that wait: the system's lookups cannot be cancelled,
 * and each occupies one of few threads.
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
