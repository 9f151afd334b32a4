// The bare limit for requests: hono on Node's server, a line and a page.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [port] = process.argv.slice(2);
const app = new Hono();
app.get('/health', (c) => c.text('ok\n'));
app.get('/', (c) => c.html('<!doctype html><html><body>ok</body></html>'));
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
