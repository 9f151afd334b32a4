// Must come before the library, which uses the globals that it finds when it is loaded.
import './light-fetch.ts';

export { getRequestListener, RequestError } from '@hono/node-server';
