import { Readable } from 'node:stream';

// Node loads its whole HTTP client at the first mention of `Headers`, `Request` or `Response`: 3 MB of memory and 20 ms
// of the start. The adapter in front of the routes needs only a list of headers and the names of the other two. These
// classes replace them, and fall back to Node's for everything else.

const names = ['Headers', 'Request', 'Response'] as const;
type Name = (typeof names)[number];

const ownIn = (name: Name) => Object.getOwnPropertyDescriptor(globalThis, name);

/** The classes that stand in are there already: a test runner evaluates this module once for each file. */
const installed: unknown = ownIn('Headers')?.value;
const earlier: unknown = typeof installed === 'function' && 'nodesOwn' in installed ? installed.nodesOwn : undefined;
const nodesOwn: ReadonlyMap<Name, PropertyDescriptor | undefined> =
  earlier instanceof Map ? earlier : new Map(names.map((name) => [name, ownIn(name)]));

/** Node's own class. Reading it overwrites the global, so the replacement is put back. */
function nodes<N extends Name>(name: N): (typeof globalThis)[N] {
  const there = Object.getOwnPropertyDescriptor(globalThis, name);
  const descriptor = nodesOwn.get(name);
  try {
    return (
      descriptor?.get === undefined ? descriptor?.value : descriptor.get.call(globalThis)
    ) as (typeof globalThis)[N];
  } finally {
    if (there !== undefined) Object.defineProperty(globalThis, name, there);
  }
}

/** A token (RFC 9110, section 5.6.2). */
const validName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** HTTP whitespace, which the standard trims from both ends of a value. */
const edges = /^[\t\n\r ]+|[\t\n\r ]+$/g;
/** One byte per character, and no line breaks. */
// oxlint-disable-next-line no-control-regex -- These are what a value must not have.
const validValue = /^[\x01-\x09\x0b\x0c\x0e-\xff]*$/;

function nameOf(name: string): string {
  if (!validName.test(name)) throw new TypeError(`${name} is not a header name`);
  return name.toLowerCase();
}

/** A value as sent; callers without types pass numbers too. */
function valueOf(value: string | number): string {
  const text = String(value).replaceAll(edges, '');
  if (!validValue.test(text)) throw new TypeError('a header value cannot be sent');
  return text;
}

const separatorOf = (name: string): string => (name === 'cookie' ? '; ' : ', ');

/** The list of headers of the Fetch Standard, for requests and responses of a server. */
export class LightHeaders implements Iterable<[string, string]> {
  /** Descriptors of the globals that this replaces. */
  static readonly nodesOwn = nodesOwn;

  readonly #values = new Map<string, string[]>();

  constructor(init?: ConstructorParameters<typeof Headers>[0]) {
    if (init === undefined) return;
    const pairs: Iterable<readonly string[]> =
      Symbol.iterator in Object(init) ? (init as Iterable<string[]>) : Object.entries(init);
    for (const pair of pairs) {
      const [name, value] = pair;
      if (name === undefined || value === undefined || pair.length !== 2)
        throw new TypeError('a header is a name and a value');
      this.append(name, value);
    }
  }

  append(name: string, value: string): void {
    const key = nameOf(name);
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, [valueOf(value)]);
    else known.push(valueOf(value));
  }

  set(name: string, value: string): void {
    this.#values.set(nameOf(name), [valueOf(value)]);
  }

  delete(name: string): void {
    this.#values.delete(nameOf(name));
  }

  get(name: string): string | null {
    const key = nameOf(name);
    return this.#values.get(key)?.join(separatorOf(key)) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(nameOf(name));
  }

  getSetCookie(): string[] {
    return [...(this.#values.get('set-cookie') ?? [])];
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].toSorted()) {
      const values = this.#values.get(name) ?? [];
      if (name !== 'set-cookie') yield [name, values.join(separatorOf(name))];
      else for (const value of values) yield [name, value];
    }
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(callback: (value: string, name: string, headers: LightHeaders) => void, self?: unknown): void {
    for (const [name, value] of this.entries()) callback.call(self, value, name, this);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

/** Creates Node's own request; the adapter itself never creates one. */
function LightRequest(...given: ConstructorParameters<typeof Request>): Request {
  return new (nodes('Request'))(...given);
}

/** True if a stream was read from. Node accepts both kinds of streams, unlike its types. */
const isUsed = (stream: ReadableStream<Uint8Array>): boolean =>
  Readable.isDisturbed(stream as unknown as NodeJS.ReadableStream);

/** Status codes of responses without a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** A response whose body is a stream; Node's own for any other body, status or reason phrase. */
export class LightResponse {
  body: ReadableStream<Uint8Array> | null = null;
  readonly headers: LightHeaders = new LightHeaders();
  readonly status: number = 200;
  readonly statusText: string = '';
  readonly type = 'default';
  readonly url = '';
  readonly redirected = false;

  constructor(body?: ConstructorParameters<typeof Response>[0], init: ResponseInit | null = {}) {
    const { status = 200, statusText = '', headers } = init ?? {};
    const isPlain = Number.isInteger(status) && status >= 200 && status <= 599 && !bodiless.includes(status);
    if (!(body instanceof ReadableStream) || body.locked || isUsed(body) || !isPlain || statusText !== '')
      return new (nodes('Response'))(body, init ?? {}) as unknown as LightResponse;
    this.body = body;
    this.headers = new LightHeaders(headers);
    this.status = status;
  }

  get ok(): boolean {
    return this.status <= 299;
  }

  get bodyUsed(): boolean {
    return this.body !== null && isUsed(this.body);
  }

  #nodes(): Response {
    return new (nodes('Response'))(this.body, { status: this.status, headers: [...this.headers] });
  }

  clone(): LightResponse {
    const [own = null, other = null] = this.body?.tee() ?? [];
    this.body = own;
    return new LightResponse(other, { status: this.status, headers: [...this.headers] });
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#nodes().arrayBuffer();
  }

  async blob(): Promise<Blob> {
    return this.#nodes().blob();
  }

  async formData(): Promise<FormData> {
    return this.#nodes().formData();
  }

  async json(): Promise<unknown> {
    return this.#nodes().json();
  }

  async text(): Promise<string> {
    return this.#nodes().text();
  }
}

const light = { Headers: LightHeaders, Request: LightRequest, Response: LightResponse };

for (const name of earlier === undefined ? names : [])
  Object.defineProperty(globalThis, name, {
    value: light[name],
    writable: true,
    configurable: true,
    enumerable: nodesOwn.get(name)?.enumerable ?? false,
  });
