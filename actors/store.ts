import type { DocumentCommand, DocumentFact } from '#machines/store/events.ts';
import { store } from '#machines/store/index.ts';
import { storeMachine } from '#machines/store/machine.ts';
import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import { part, type Part } from './kit/part.ts';

/** What the store needs. */
export interface StoreDeps {
  /** The data folder, already locked for this process. */
  readonly folder: string;
  /** The driver of the document (`documentDriver()` of the store's drivers). */
  readonly document: DriverLogic<DocumentCommand, { readonly folder: string }, DocumentFact>;
}

/** The owner of the durable document; first up, last down. */
export const storeSpec = (deps: StoreDeps): Part =>
  part(store, storeMachine.provide({ actors: { document: deps.document } }), {
    input: () => ({ folder: deps.folder }),
    stop: { event: { type: 'store.stop' }, withinMs: 900 },
  });
