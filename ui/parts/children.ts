import type { JSX } from 'hono/jsx/jsx-runtime';

/** Children of a component, on the server and in the browser. */
export type Children = JSX.Element | string | Children[];
