import recorded from './examples.json' with { type: 'json' };

const byKey: ReadonlyMap<string, unknown> = new Map(Object.entries(recorded));

/** Name of an example: what an operation answers with a status, or is sent (`body`), in one media type. */
export const exampleKey = (operationId: string, what: string, type: string): string =>
  `${operationId} ${what} ${type.replace(/;.*$/, '')}`;

/** The recorded example of an operation (`npm run record-examples`); undefined if there is none. */
export const recordedExample = (operationId: string, what: string, type: string): unknown =>
  byKey.get(exampleKey(operationId, what, type));
