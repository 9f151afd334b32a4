import WebSocket from 'ws';

/** State of one entity as Home Assistant pushes it. */
export interface EntityState {
  readonly state: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A row of the device registry, as far as tests look. */
export interface DeviceEntry {
  readonly id: string;
  readonly name: string | null;
  readonly identifiers: readonly (readonly [string, string])[];
  readonly configuration_url: string | null;
}

/** A row of the entity registry, as far as tests look. */
export interface EntityEntry {
  readonly id: string;
  readonly entity_id: string;
  readonly device_id: string | null;
  readonly unique_id: string;
  readonly platform: string;
}

/** One line of Home Assistant's log. */
export interface LogEntry {
  readonly name: string;
  readonly level: string;
  readonly message: readonly string[];
}

/** One of the repairs, as far as tests look. */
export interface RepairIssue {
  readonly domain: string;
  readonly issue_id: string;
  readonly severity: string;
  readonly is_fixable: boolean;
  readonly learn_more_url: string | null;
  readonly translation_key: string;
  readonly translation_placeholders: Readonly<Record<string, string>> | null;
}

/** One step of a configuration flow. */
export interface FlowStep {
  readonly type: string;
  readonly flow_id: string;
  readonly menu_options?: readonly string[];
  readonly data_schema?: readonly { readonly name: string; readonly type?: string; readonly required?: boolean }[];
  readonly errors?: Readonly<Record<string, string>> | null;
  readonly step_id?: string;
  readonly reason?: string;
  readonly description_placeholders?: Readonly<Record<string, string>> | null;
  /** The entry that was made. */
  readonly result?: { readonly entry_id: string; readonly title: string };
}

interface CompressedState {
  readonly s?: string;
  readonly a?: Readonly<Record<string, unknown>>;
}
interface EntitiesEvent {
  readonly a?: Readonly<Record<string, CompressedState>>;
  readonly c?: Readonly<
    Record<string, { readonly '+'?: CompressedState; readonly '-'?: { readonly a?: readonly string[] } }>
  >;
  readonly r?: readonly string[];
}
interface Incoming {
  readonly id?: number;
  readonly type: string;
  readonly success?: boolean;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly event?: unknown;
}

/** Longest wait for the answer to one call, in milliseconds. */
const answerWithinMs = 20_000;

/** A signed-in client of Home Assistant: REST for flows, one WebSocket for everything else. */
export class HomeClient {
  readonly #url: string;
  readonly #token: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Incoming) => void>();
  readonly #listeners = new Map<number, (event: unknown) => void>();
  #lastId = 0;

  private constructor(url: string, token: string, socket: WebSocket) {
    this.#url = url;
    this.#token = token;
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const answer of this.#waiting.values())
        answer({ type: 'result', success: false, error: { code: 'closed', message: 'The connection has ended.' } });
    });
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Incoming | readonly Incoming[]));
  }

  /** Connects and signs in with an access token. */
  static async open(url: string, token: string): Promise<HomeClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/websocket`);
    const late = setTimeout(() => socket.terminate(), answerWithinMs);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('Home Assistant closed the connection')));
      socket.on('message', function greet(data: Buffer) {
        const { type } = JSON.parse(data.toString()) as Incoming;
        if (type === 'auth_required') socket.send(JSON.stringify({ type: 'auth', access_token: token }));
        else if (type === 'auth_ok') {
          socket.removeAllListeners();
          resolve();
        } else reject(new Error(`sign-in refused: ${type}`));
      });
    }).finally(() => clearTimeout(late));
    return new HomeClient(url, token, socket);
  }

  #take(incoming: Incoming | readonly Incoming[]): void {
    // Home Assistant may send several messages as one list.
    const messages: readonly Incoming[] = Array.isArray(incoming)
      ? (incoming as readonly Incoming[])
      : [incoming as Incoming];
    for (const message of messages) {
      if (message.id === undefined) continue;
      if (message.type === 'event') this.#listeners.get(message.id)?.(message.event);
      else this.#waiting.get(message.id)?.(message);
    }
  }

  #send(type: string, fields: object, listener?: (event: unknown) => void): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    if (listener) this.#listeners.set(id, listener);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${type}: no answer`)), answerWithinMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (answer.success === true) resolve(answer.result);
        else reject(new Error(`${type}: ${answer.error?.code} ${answer.error?.message}`));
      });
      this.#socket.send(JSON.stringify({ id, type, ...fields }));
    });
  }

  /** Sends a command and returns its result. */
  async call<T>(type: string, fields: object = {}): Promise<T> {
    // The shape of an answer is Home Assistant's; tests name what they look at.
    return (await this.#send(type, fields)) as T;
  }

  /** Calls an action such as `light.turn_on` on one entity. */
  async act(action: string, entityId: string, data: object = {}): Promise<void> {
    const [domain, service] = action.split('.');
    await this.call('call_service', { domain, service, service_data: data, target: { entity_id: entityId } });
  }

  /** All states, kept up to date for as long as the client lives. */
  async states(): Promise<ReadonlyMap<string, EntityState>> {
    const states = new Map<string, EntityState>();
    await this.#send('subscribe_entities', {}, (raw) => {
      const event = raw as EntitiesEvent;
      for (const [id, { s, a }] of Object.entries(event.a ?? {}))
        states.set(id, { state: s ?? 'unknown', attributes: a ?? {} });
      for (const [id, change] of Object.entries(event.c ?? {})) {
        const before = states.get(id);
        const attributes: Record<string, unknown> = { ...before?.attributes, ...change['+']?.a };
        for (const key of change['-']?.a ?? []) delete attributes[key];
        states.set(id, { state: change['+']?.s ?? before?.state ?? 'unknown', attributes });
      }
      for (const id of event.r ?? []) states.delete(id);
    });
    return states;
  }

  /** Calls back with the data of each event of a type, for as long as the client lives. */
  async subscribe(type: string, listener: (data: unknown) => void): Promise<void> {
    await this.#send('subscribe_events', { event_type: type }, (event) => listener((event as { data: unknown }).data));
  }

  /** Devices that carry the MQTT identifier `identifier`. */
  async devices(identifier: string): Promise<readonly DeviceEntry[]> {
    const all = await this.call<readonly DeviceEntry[]>('config/device_registry/list');
    return all.filter((device) => device.identifiers.some(([domain, id]) => domain === 'mqtt' && id === identifier));
  }

  /** Every MQTT entity of the registry. */
  async mqttEntities(): Promise<readonly EntityEntry[]> {
    return (await this.call<readonly EntityEntry[]>('config/entity_registry/list')).filter(
      (entry) => entry.platform === 'mqtt',
    );
  }

  /** Errors and warnings that the MQTT integration has logged. */
  async mqttLog(): Promise<readonly LogEntry[]> {
    const all = await this.call<readonly LogEntry[]>('system_log/list');
    return all.filter(
      (entry) =>
        entry.name.startsWith('homeassistant.components.mqtt') &&
        ['ERROR', 'WARNING', 'CRITICAL'].includes(entry.level),
    );
  }

  /** What the MQTT integration knows of a device: its discovery payloads and last messages. */
  debug(deviceId: string): Promise<unknown> {
    return this.call('mqtt/device/debug_info', { device_id: deviceId });
  }

  /** Posts to the REST interface and returns the answer. */
  async post<T>(path: string, body: object): Promise<T> {
    return (await this.#fetch('POST', path, JSON.stringify(body))).json() as Promise<T>;
  }

  /** Body of `GET path` of the REST interface. */
  async bytes(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.#fetch('GET', path)).arrayBuffer());
  }

  /** Deletes by the REST interface. */
  async remove(path: string): Promise<void> {
    await this.#fetch('DELETE', path);
  }

  async #fetch(method: string, path: string, body?: string): Promise<Response> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** Closes the connection. */
  close(): void {
    this.#socket.terminate();
  }
}
