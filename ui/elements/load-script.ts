/** How long a script may take to arrive, in milliseconds: a panel that hangs may leave a connection unanswered. */
const patienceMs = 20_000;

/** Scripts that were asked for, by name. */
const loading = new Map<string, Promise<boolean>>();

/** Address of a script of the same build as the page's own, which is the first in its head. */
const addressOf = (name: string): string =>
  (document.querySelector('script[src]')?.getAttribute('src') ?? '').replace(/[\w-]+\.js/, `${name}.js`);

const insert = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const script = document.createElement('script');
    const end = (isLoaded: boolean): void => {
      window.clearTimeout(timer);
      if (!isLoaded) script.remove();
      resolve(isLoaded);
    };
    const timer = window.setTimeout(() => end(false), patienceMs);
    script.src = address;
    script.addEventListener('load', () => end(true));
    script.addEventListener('error', () => end(false));
    document.head.appendChild(script);
  });

/**
 * Loads another script of this panel, once; false if that failed, and the next call tries again. `name` must be written
 * out: the build finds it in the call, and sends a page the icons of every script that the page may load.
 */
export function loadBeside(name: string): Promise<boolean> {
  const found = loading.get(name);
  if (found !== undefined) return found;
  const load = insert(addressOf(name)).then((isLoaded) => {
    if (!isLoaded) loading.delete(name);
    return isLoaded;
  });
  loading.set(name, load);
  return load;
}
