import type { JSX } from 'hono/jsx/jsx-runtime';

/** What can stand inside a component, on the server and in the browser. */
export type Children = JSX.Element | string | Children[];
