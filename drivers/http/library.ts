// Before the library, which takes the globals as they are when it is loaded.
import './light-fetch.ts';

export { getRequestListener, RequestError } from '@hono/node-server';
