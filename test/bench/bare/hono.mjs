// The bare limit for requests: hono on Node's server, one route.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [port] = process.argv.slice(2);
const app = new Hono();
app.get('/health', (c) => c.text('ok\n'));
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
