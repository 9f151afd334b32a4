// Records the examples of the OpenAPI document from simulated panels, the program that was built, into
// routes/examples.json.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Aedes } from 'aedes';
import { serveHomeAssistant } from './home-assistant.mjs';
import { masked, shortened } from './mask.mjs';
import { startPanel, until } from './panel.mjs';

const file = fileURLToPath(new URL('../../routes/examples.json', import.meta.url));
const profile = readFileSync(new URL('my-panel.yaml', import.meta.url), 'utf8');

const examples = new Map();

/** Records from one panel; an operation is asked with the example of its body, unless it is given another. */
async function recorderOf({ ask, read }) {
  const document = await read('/api/v1/openapi.json');
  return async (
    id,
    { expected = 200, query = '', body, type = 'application/json', headers = {}, show = (value) => value } = {},
  ) => {
    const [path, method, operation] = Object.entries(document.paths)
      .flatMap(([where, methods]) => Object.entries(methods).map(([how, one]) => [where, how, one]))
      .find(([, , one]) => one.operationId === id);
    const sent = body ?? operation.requestBody?.content['application/json']?.example;
    const answer = await ask(path + query, {
      method: method.toUpperCase(),
      ...(sent && {
        body: typeof sent === 'string' ? sent : JSON.stringify(sent),
        headers: { 'content-type': type, ...headers },
      }),
    });
    if (answer.status !== expected) throw new Error(`${id}: ${answer.status} ${JSON.stringify(answer.value)}`);
    if (typeof sent === 'string') examples.set(`${id} body ${type}`, sent);
    examples.set(`${id} ${answer.status} ${answer.type}`, shortened(masked(show(answer.value))));
    return answer.value;
  };
}

/** Records operations one after another: what one changes, the next one shows. */
async function recordAll(record, ids) {
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (const id of ids) await record(id);
}

const argumentsWith = (broker) => ['--profile=simulated', '--panel-id=hall_panel', `--mqtt-broker=${broker}`];

/** An answer in which a list has one of its items alone: not the first one, but one that is short or in use. */
const only = (list, wanted) => (answer) => ({ ...answer, [list]: answer[list].filter(({ id }) => id === wanted) });

/** The head of a table. */
const firstLines = (count) => (text) => text.split('\r\n').slice(0, count).concat('').join('\r\n');

/** What a panel answers by itself, beside a broker. */
async function recordPanel(folder, broker) {
  const panel = await startPanel(folder, { args: argumentsWith(broker) });
  try {
    await until('the broker', async () => (await panel.read('/api/v1/status')).platform?.phase === 'live');
    const record = await recorderOf(panel);
    const { entities } = await panel.read('/api/v1/setup/reset');
    await record('changeConfig');
    await until('the entity that it adds', async () => (await panel.read('/api/v1/setup/reset')).entities > entities);
    await recordAll(record, ['getStatus', 'getDiagnostics', 'getInfo', 'getSensors', 'getRadio']);
    await record('getConfigSchema', { show: (items) => items.filter(({ key }) => key === 'volume_limit_percent') });
    await record('getProfiles', { show: only('profiles', 'simulated') });
    await recordAll(record, ['getSimulator', 'getProfileSchema', 'getDrivers']);
    await record('getLogs');
    await record('getLogs', { query: '?format=json' });
    await recordAll(record, ['getSetup', 'getProximity']);
    await record('checkSetting', { query: '?key=volume_limit_percent&value=80' });
    await record('getSensorTrace', { query: '?sensor=illuminance', show: firstLines(2) });
    await record('getSensorTrace', { query: '?sensor=illuminance&format=json' });
    // What the panel's own page sends.
    const headers = { 'x-proximity-ui': '1', origin: panel.url };
    await record('calibrateProximity', { expected: 202, headers });
    await panel.post('/api/v1/simulator', { plug: 'proximity', plugged: false });
    await until('no sensor', async () => (await panel.read('/api/v1/proximity')).source === null);
    await record('calibrateProximity', { expected: 409, headers });
    await panel.post('/api/v1/action', { a: 'screen_off' });
    await until('the switch', async () => (await panel.read('/api/v1/history')).entries[0]?.kind === 'screen');
    await recordAll(record, ['getHistory', 'getReset', 'resetPanel']);
    await panel.ended;
  } finally {
    await panel.stop();
  }
}

/** A profile of the owner's own: looked at, saved, in use, given up and deleted. */
async function recordProfiles(folder) {
  const inUse = async (steps) => {
    // Without a profile on the command line: that could not be replaced by another.
    const panel = await startPanel(folder, { args: ['--default-profile=simulated', '--inspect'] });
    try {
      const { catalog_revision: revision } = await panel.read('/api/v1/profiles');
      await steps({
        panel,
        record: await recorderOf(panel),
        now: { expected_catalog_revision: revision, confirm: true },
      });
    } finally {
      await panel.stop();
    }
  };
  const yaml = { body: profile, type: 'application/yaml' };
  let ref;
  await inUse(async ({ panel, record, now }) => {
    await record('getMachines', { show: only('machines', 'live-log') });
    await record('probeProfile', yaml);
    const { preview_token: token } = await record('previewProfile', yaml);
    const {
      id,
      revision,
      catalog_revision: changed,
    } = await record('importProfile', {
      ...yaml,
      headers: { 'x-profile-preview-token': token },
    });
    ref = { id, revision };
    await record('selectProfile', { expected: 202, body: { ...ref, ...now, expected_catalog_revision: changed } });
    await panel.ended;
  });
  await inUse(async ({ panel, record, now }) => {
    await record('getProfileReport');
    await record('rollBackProfile', { expected: 202, body: now });
    await panel.ended;
  });
  await inUse(async ({ record, now }) => {
    await record('deleteProfile', { body: { ref, ...now } });
  });
}

/** What a panel learns of a dashboard; it needs no browser for that, and finds none. */
async function recordDashboard(folder, broker) {
  const homeAssistant = await serveHomeAssistant();
  const panel = await startPanel(folder, {
    args: [...argumentsWith(broker), '--renderer=headless'],
    env: { PATH: '' },
  });
  try {
    const record = await recorderOf(panel);
    await panel.post('/api/v1/config', {
      ha_url: homeAssistant.origin,
      ha_token: 'token-of-the-panel',
      home_dashboard: '/kitchen-panel',
      dashboard_entity_learning: true,
    });
    const sync = () => panel.read('/api/v1/dashboard/entities/sync');
    await until('the scan', async () => (await sync()).scanned_at !== null && (await sync()).scan === null);
    await recordAll(record, ['getConfig', 'getHomeDashboards']);
    await recordAll(record, ['getEntityIssues', 'decideEntityIssue', 'activateEntities', 'setEntityPolicy']);
    await recordAll(record, ['overrideEntities', 'overrideEntity', 'getDashboardEntities']);
    await record('getEntityTraffic', { query: '?seconds=1' });
    await recordAll(record, ['getEntitySync', 'exportEntities', 'getEntityFilter']);
    await record('syncEntities', { expected: 202 });
    await until('the scan', async () => (await sync()).scan === null);
    await record('resetEntities');
    await record('changeEntityFilter');
  } finally {
    await panel.stop();
    await homeAssistant.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sconce-examples-'));
const aedes = await Aedes.createBroker();
const broker = createServer(aedes.handle);
await new Promise((resolve) => void broker.listen(0, '127.0.0.1', resolve));
try {
  const address = `mqtt://127.0.0.1:${broker.address().port}`;
  await recordPanel(join(folder, 'panel'), address);
  await recordProfiles(join(folder, 'profiles'));
  await recordDashboard(join(folder, 'dashboard'), address);
  const sorted = [...examples].toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
} finally {
  await new Promise((resolve) => {
    aedes.close(() => broker.close(resolve));
  });
  rmSync(folder, { recursive: true, force: true });
}
