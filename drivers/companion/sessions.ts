import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SessionCommand, SessionFact } from '#machines/companion/events.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { CompanionJoint } from './exchange.ts';
import type { WireSchemas } from './rules.ts';
import type { Current, Serving, ServingDeps } from './serving.ts';

const serving = chunk(() => import('./serving.ts'));

export interface SessionsDeps extends Omit<ServingDeps, 'schemas'> {
  /** Loads the messages' schemas. */
  readonly schemas: () => Promise<WireSchemas>;
  /** Joins the connections to the listener, and to what serves the rows. */
  readonly joint: CompanionJoint;
}

/**
 * The connections of paired Home Assistants, and of those that want to be paired. Until the first one arrives, nothing
 * of what they need is loaded.
 */
export const companionSessions = ({ joint, schemas: loadSchemas, ...deps }: SessionsDeps) =>
  fromDriver<SessionCommand, undefined, SessionFact>(({ send, onEvent, guard, signal }) => {
    let current: Current = { keys: new Map(), panel: null, isStopping: false };
    let running: Serving | null = null;
    const attached = joint.attach((session, message) => running?.send(session, message) ?? false);
    const load = async (): Promise<Serving> => {
      const [{ createServing }, schemas] = await Promise.all([serving(), loadSchemas()]);
      return (running ??= createServing(
        { ...deps, schemas },
        { current: () => current, send, joint: attached, guard },
      ));
    };
    const leave = joint.answer((upgrade) => {
      const take = guard((ready: Serving) => ready.take(upgrade));
      if (running !== null) return take(running);
      load().then(
        (ready) => (signal.aborted ? upgrade.socket.destroy() : take(ready)),
        guard((error: unknown) => {
          upgrade.socket.destroy();
          throw error;
        }),
      );
    });
    onEvent((command) => {
      if (command.type === 'sessions.keys')
        current = { ...current, keys: new Map(command.keys.map(({ keyId, key }) => [keyId, key])) };
      if (command.type === 'sessions.panel') current = { ...current, panel: command.panel };
      if (command.type === 'sessions.end') current = { ...current, isStopping: command.reason === 'stopping' };
      running?.tell(command);
    });
    return async () => {
      leave();
      attached.detach();
      await running?.stop();
    };
  });
