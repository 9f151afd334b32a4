import { z } from 'zod';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { httpStatusOf } from '#machines/problems.ts';
import { descriptors, EXPOSE_PREFIX, exposableSettings } from '#machines/settings.ts';
import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';
import { defaultConfiguration, mergeSettings } from '#machines/settings/merge.ts';
import { type App, createApp } from '#routes/app.ts';
import { schemaOf } from '#routes/kit/describe.ts';
import type { RouteSpec } from '#routes/kit/route-spec.ts';
import { marks, tags } from '#routes/kit/tags.ts';
import { problemStatus } from '#routes/kit/problem.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

interface Media {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}
interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string };
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>>; readonly required?: boolean };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Property>> }>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, object>>;
  };
}

const inspection = { charts: [], records: () => [], onNext: () => () => {} };
const documentOf = async ({ fetch }: Pick<App, 'fetch'>): Promise<string> =>
  (await fetch(new Request('http://panel.invalid/api/v1/openapi.json'), {})).text();
const app = createApp(fakeDeps({ inspection }));
// The tests below say what of it has to be there.
const document = JSON.parse(await documentOf(app)) as Document;

const operations = app.table.map((spec) => {
  const operation = document.paths[spec.path]?.[spec.method];
  if (operation === undefined) throw new Error(`${spec.method} ${spec.path} is not in the document`);
  return { name: `${spec.method} ${spec.path}`, spec, operation };
});
type Named = (typeof operations)[number];

/** Names in generated clients: once there, none of them changes. */
const operationIds: Readonly<Record<string, string>> = {
  'get /api/v1/health': 'getHealth',
  'get /health': 'getHealthAtRoot',
  'get /api/v1/status': 'getStatus',
  'get /api/v1/companion': 'getCompanion',
  'get /api/v1/companion/integration.zip': 'getIntegration',
  'post /api/v1/companion/move': 'moveCompanion',
  'post /api/v1/companion/revoke': 'revokeCompanion',
  'get /api/v1/camera/status': 'getCameraStatus',
  'get /api/v1/camera/snapshot.jpg': 'getCameraSnapshot',
  'get /api/v1/diag': 'getDiagnostics',
  'get /api/v1/info': 'getInfo',
  'get /api/v1/sensors': 'getSensors',
  'get /api/v1/radio': 'getRadio',
  'get /api/v1/sensortrace': 'getSensorTrace',
  'get /api/v1/setup/reset': 'getReset',
  'post /api/v1/setup/reset': 'resetPanel',
  'post /api/v1/setup/reset/cancel': 'cancelReset',
  'get /api/v1/config': 'getConfig',
  'post /api/v1/backup': 'makeBackup',
  'post /api/v1/config': 'changeConfig',
  'get /api/v1/config/revisions': 'getConfigRevisions',
  'get /api/v1/config/schema': 'getConfigSchema',
  'get /api/v1/config/export': 'exportConfig',
  'get /api/v1/config/home-dashboards': 'getHomeDashboards',
  'get /api/v1/config/check': 'checkSetting',
  'get /api/v1/config/confirm-broker': 'getBrokerToConfirm',
  'post /api/v1/config/confirm-broker': 'confirmBroker',
  'get /api/v1/config/probe-broker': 'probeBroker',
  'get /api/v1/config/probe-home-assistant': 'probeHomeAssistant',
  'get /api/v1/setup': 'getSetup',
  'post /api/v1/restore': 'restoreBackup',
  'post /api/v1/setup/attest': 'attestSetup',
  'post /api/v1/setup/entity-filter': 'answerEntityFilter',
  'post /api/v1/setup/home-dashboard': 'answerHomeDashboard',
  'post /api/v1/setup/identity': 'answerIdentity',
  'get /api/v1/config/discovery': 'getDiscovery',
  'post /api/v1/config/import': 'importConfig',
  'post /api/v1/config/revisions/{id}/restore': 'restoreConfigRevision',
  'post /api/v1/dashboard/clear-storage': 'clearDashboardStorage',
  'post /api/v1/action': 'doAction',
  'post /api/v1/play': 'play',
  'post /play': 'playAtRoot',
  'get /api/v1/events': 'streamStatus',
  'post /api/v1/ha/oauth/start': 'startSignIn',
  'get /api/v1/ha/oauth/callback': 'finishSignIn',
  'get /api/v1/ha/oauth/panel-start': 'startSignInOnPanel',
  'get /api/v1/ha/oauth/status': 'getSignIn',
  'post /api/v1/ha/oauth/sign-out': 'signOut',
  'get /api/v1/ha/oauth/qr.svg': 'getSignInCode',
  'get /api/v1/simulator': 'getSimulator',
  'post /api/v1/simulator': 'touchSimulator',
  'get /api/v1/simulator/approvals': 'getSimulatedQuestion',
  'get /api/v1/simulator/day': 'getSimulatedDay',
  'post /api/v1/updates/check': 'checkForUpdates',
  'get /api/v1/logs': 'getLogs',
  'get /api/v1/logs/stream': 'streamLogs',
  'get /api/v1/history': 'getHistory',
  'get /api/v1/dev/machines': 'getMachines',
  'get /api/v1/dev/stream': 'streamRecords',
  'get /api/v1/profiles': 'getProfiles',
  'get /api/v1/profiles/schema': 'getProfileSchema',
  'get /api/v1/profiles/drivers': 'getDrivers',
  'get /api/v1/profiles/report': 'getProfileReport',
  'get /api/v1/profiles/template': 'getProfileTemplate',
  'get /api/v1/profiles/device-draft': 'getDeviceDraft',
  'get /api/v1/profiles/{id}/revisions/{revision}': 'getProfileRevision',
  'post /api/v1/profiles/preview': 'previewProfile',
  'post /api/v1/profiles/validate': 'validateProfile',
  'post /api/v1/profiles/compare': 'compareProfile',
  'post /api/v1/profiles/probe': 'probeProfile',
  'post /api/v1/profiles/import': 'importProfile',
  'post /api/v1/profiles/save': 'saveProfile',
  'post /api/v1/profiles/select': 'selectProfile',
  'post /api/v1/profiles/activate': 'activateProfile',
  'post /api/v1/profiles/rollback': 'rollBackProfile',
  'post /api/v1/profiles/delete': 'deleteProfile',
  'get /api/v1/screenshot.png': 'getScreenshot',
  'get /api/v1/provisioning/plan': 'getProvisioningPlan',
  'get /api/v1/provisioning/plan.txt': 'getProvisioningPlanText',
  'get /api/v1/support': 'getSupportBundle',
  'get /api/v1/voice/microphone': 'getVoiceMicrophone',
  'get /api/v1/voice/pipelines': 'getVoicePipelines',
  'get /api/v1/voice/test': 'testVoiceByGet',
  'post /api/v1/simulator/say': 'saySimulated',
  'post /api/v1/voice/cancel': 'cancelVoice',
  'post /api/v1/voice/microphone': 'checkVoiceMicrophone',
  'post /api/v1/voice/permission': 'askForMicrophone',
  'post /api/v1/voice/test': 'testVoice',
  'post /api/v1/input': 'tap',
  'get /api/v1/packages': 'getPackages',
  'get /api/v1/auto-brightness': 'getAutoBrightness',
  'get /api/v1/auto-brightness/history': 'getLightHistory',
  'get /api/v1/auto-brightness/sources': 'getLightSources',
  'post /api/v1/auto-brightness/source': 'chooseLightSource',
  'post /api/v1/auto-brightness/reset': 'forgetLight',
  'post /api/v1/auto-brightness/resume': 'resumeAutoBrightness',
  'get /api/v1/auto-sleep': 'getAutoSleep',
  'get /api/v1/auto-sleep/prerequisite': 'getAutoSleepPrerequisite',
  'get /api/v1/auto-sleep/history': 'getAutoSleepHistory',
  'get /api/v1/auto-sleep/sources': 'getAutoSleepSources',
  'post /api/v1/auto-sleep/source': 'includePresenceSource',
  'get /api/v1/proximity': 'getProximity',
  'post /api/v1/proximity/calibration': 'calibrateProximity',
  'get /api/v1/proximity/teach': 'getRetiredTeach',
  'post /api/v1/proximity/teach': 'postRetiredTeach',
  'get /api/v1/proximity/test': 'getRetiredTest',
  'post /api/v1/proximity/test': 'postRetiredTest',
  'get /api/v1/proximity/relearn': 'getRetiredRelearn',
  'post /api/v1/proximity/relearn': 'postRetiredRelearn',
  'get /api/v1/proximity/capture': 'getRetiredCapture',
  'post /api/v1/proximity/capture': 'postRetiredCapture',
  'get /api/v1/proximity/threshold': 'getRetiredThreshold',
  'post /api/v1/proximity/threshold': 'postRetiredThreshold',
  'get /api/v1/proximity/sensitivity': 'getRetiredSensitivity',
  'post /api/v1/proximity/sensitivity': 'postRetiredSensitivity',
  'get /api/v1/proximity/reset': 'getRetiredReset',
  'post /api/v1/proximity/reset': 'postRetiredReset',
  'get /api/v1/dashboard/entity-filter': 'getEntityFilter',
  'post /api/v1/dashboard/entity-filter': 'changeEntityFilter',
  'get /api/v1/dashboard/entities': 'getDashboardEntities',
  'get /api/v1/dashboard/entities/sync': 'getEntitySync',
  'post /api/v1/dashboard/entities/sync': 'syncEntities',
  'get /api/v1/dashboard/entities/issues': 'getEntityIssues',
  'post /api/v1/dashboard/entities/issues': 'decideEntityIssue',
  'get /api/v1/dashboard/entities/export': 'exportEntities',
  'get /api/v1/dashboard/entities/traffic': 'getEntityTraffic',
  'post /api/v1/dashboard/entities/activate': 'activateEntities',
  'post /api/v1/dashboard/entities/policy': 'setEntityPolicy',
  'post /api/v1/dashboard/entities/override': 'overrideEntity',
  'post /api/v1/dashboard/entities/overrides': 'overrideEntities',
  'post /api/v1/dashboard/entities/reset': 'resetEntities',
  'get /api/v1/approvals/{id}': 'getApproval',
  'get /api/v1/install/status': 'getInstallStatus',
  'get /api/v1/openapi.json': 'getOpenApi',
};

it('the document is what OpenAPI 3.1 asks for', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...document });
  expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
});

describe('an operation', () => {
  it('keeps its name', () => {
    expect(Object.fromEntries(operations.map(({ name, operation }) => [name, operation.operationId]))).toEqual(
      operationIds,
    );
    expect(new Set(Object.values(operationIds)).size).toBe(operations.length);
    for (const id of Object.values(operationIds)) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });
  it('has a summary, a description that says more, and a group that is described', () => {
    const described = new Map(document.tags.map((tag) => [tag.name, tag.description]));
    for (const { name, operation } of operations) {
      expect(operation.summary, name).toMatch(/^[A-Z].{3,80}[^.]$/);
      expect(operation.description, name).toMatch(/^[A-Z`][^]{15,}\.$/);
      expect(operation.description, name).not.toBe(operation.summary);
      const [group, ...marked] = operation.tags;
      expect([name, Object.keys(tags).includes(group ?? ''), Object.keys(marks)]).toEqual([
        name,
        true,
        expect.arrayContaining(marked),
      ]);
      expect(described.get(operation.tags[0] ?? ''), name).toMatch(/^[A-Z].{5,}\.$/);
    }
    expect([...described.keys()]).toEqual([...Object.keys(tags), ...Object.keys(marks)]);
    expect(new Set(operations.flatMap(({ operation }) => operation.tags))).toEqual(new Set(described.keys()));
  });
  it('that a client needs not is marked, and says so', () => {
    const marked = (mark: string) => operations.filter(({ operation }) => operation.tags.slice(1).includes(mark));
    const developers = marked('developer').map(({ operation }) => operation);
    expect(developers.map(({ operationId }) => operationId)).toEqual([
      'getSimulator',
      'touchSimulator',
      'saySimulated',
      'getSimulatedQuestion',
      'getSimulatedDay',
      'getMachines',
      'streamRecords',
      'getDeviceDraft',
    ]);
    for (const { operationId, description } of developers)
      expect([operationId, description.endsWith(' A developer tool.')]).toEqual([operationId, true]);
    expect(marked('deprecated')).toEqual(operations.filter(({ operation }) => operation.deprecated === true));
  });
  it('whose 200 may be a no says that its client has to read it', () => {
    const judging = operations.filter(({ spec }) => {
      const schema = spec.answers[200]?.schema;
      return schema instanceof z.ZodObject && schema.shape['ok']?.safeParse(false).success === true;
    });
    expect(judging.map(({ operation }) => operation.operationId)).toEqual([
      'checkSetting',
      'probeHomeAssistant',
      'probeBroker',
    ]);
    for (const { name, operation } of operations)
      expect([name, operation.description.endsWith(' with `ok: false` it is no.')]).toEqual([
        name,
        judging.some((one) => one.operation === operation),
      ]);
  });
  it('that wants a confirmation refuses without it with one code and status, beside an older name for it', () => {
    expect([problemStatus('not-confirmed'), problemStatus('confirmation_required')]).toEqual([409, 409]);
    const confirming = operations.filter(({ operation }) =>
      JSON.stringify(operation.requestBody ?? {}).includes('"confirm":true'),
    );
    expect(confirming.map(({ operation }) => operation.operationId)).toEqual([
      'resetPanel',
      'selectProfile',
      'rollBackProfile',
      'deleteProfile',
      'activateEntities',
      'resetEntities',
    ]);
    for (const { name, spec, operation } of confirming) {
      const refusal = codesOf(shared(operation.responses['409'] ?? {}) ?? {});
      expect([name, refusal.filter((code) => /^(not-confirmed|confirmation_required)$/.test(code))]).toEqual([
        name,
        [spec.tag === 'dashboard' ? 'confirmation_required' : 'not-confirmed'],
      ]);
    }
    expect(document.components.schemas['Problem']?.properties?.['code']?.enum).toEqual(['not-confirmed']);
  });
  it('is deprecated where it is another name of one, or gone, and nowhere else', () => {
    const deprecated = operations.filter(({ operation }) => operation.deprecated === true);
    expect(deprecated.map(({ operation }) => operation.operationId).filter((id) => !/Retired/.test(id))).toEqual([
      'validateProfile',
      'compareProfile',
      'saveProfile',
      'activateProfile',
    ]);
    expect(deprecated.filter(({ operation }) => '410' in operation.responses)).toHaveLength(14);
    for (const { name, operation } of operations)
      expect('410' in operation.responses ? operation.deprecated : true, name).toBe(true);
  });
});

/** Every shared answer that is referred to, by its place in the document. */
function shared(response: Response): Response | undefined {
  const [, name] = /^#\/components\/responses\/(.+)$/.exec(response.$ref ?? '') ?? [];
  return name === undefined ? undefined : document.components.responses[name];
}

/** The codes with which a shared refusal answers, as its schema names them. */
const codesOf = ({ content }: { readonly content?: unknown }): readonly string[] =>
  [...JSON.stringify(content ?? {}).matchAll(/"enum":\[([^\]]*)\]/g)].flatMap(
    ([, codes = '']) => JSON.parse(`[${codes}]`) as string[],
  );

describe('a refusal', () => {
  it('is one of every code there is', () => {
    const codes = document.components.schemas['Problem']?.properties?.['error']?.enum ?? [];
    expect(codes.map(String).toSorted()).toEqual(Object.keys(httpStatusOf).toSorted());
  });
  it('is shared by all operations, unless it is an answer that the operation declares itself', () => {
    const used = new Set<string>();
    for (const { name, spec, operation } of operations) {
      const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect(refusals.length, name).toBeGreaterThan(3);
      for (const [status, response] of refusals) {
        if (spec.answers[Number(status)] !== undefined) {
          expect(response.$ref, `${name} ${status}`).toBeUndefined();
          continue;
        }
        expect(shared(response), `${name} ${status}`).toBeDefined();
        used.add(response.$ref ?? '');
      }
    }
    const components = Object.keys(document.components.responses);
    expect([...used].toSorted()).toEqual(components.map((one) => `#/components/responses/${one}`).toSorted());
    expect(components.length).toBeLessThan(105);
  });
  it('of a status names its codes, and only those of that status', () => {
    for (const { name, operation } of operations)
      for (const [status, response] of Object.entries(operation.responses)) {
        const refusal = shared(response);
        if (refusal === undefined) continue;
        const codes = codesOf(refusal);
        expect(codes.length, `${name} ${status}`).toBeGreaterThan(0);
        for (const code of codes)
          expect([code, httpStatusOf[code as keyof typeof httpStatusOf]]).toEqual([code, Number(status)]);
      }
  });
  it('for want of room is said of those alone that accept more than a small body', () => {
    // A file is received to the disk, one at a time.
    const large = app.table
      .filter(({ maxBodyBytes, body }) => maxBodyBytes > SMALL_BODY_BYTES && body?.reads !== 'file')
      .map(({ operationId }) => operationId);
    const refusing = operations.filter(({ operation }) => {
      const refusal = shared(operation.responses['503'] ?? {});
      return refusal !== undefined && codesOf(refusal).includes('too-many-uploads');
    });
    expect(refusing.map(({ operation }) => operation.operationId).toSorted()).toEqual(large.toSorted());
    expect(large).toContain('changeEntityFilter');
  });
  it('that passes by itself says when to try again, and no other does', () => {
    const passing = new Set([
      'restarting',
      'stopping',
      'too-many-approvals',
      'too-many-tries',
      'too-many-uploads',
      'too-many-viewers',
      'too-many-waiting',
    ]);
    for (const [name, response] of Object.entries(document.components.responses)) {
      const passes = codesOf(response).some((code) => passing.has(code));
      expect([name, Object.keys(response.headers ?? {})]).toEqual([name, passes ? ['Retry-After'] : []]);
    }
    for (const { name, operation } of operations)
      for (const status of ['429', '503'])
        if (operation.responses[status] !== undefined)
          expect(shared(operation.responses[status])?.headers, name).toHaveProperty(['Retry-After']);
    expect(operations.filter(({ operation }) => '503' in operation.responses).length).toBeGreaterThan(20);
  });
});

describe('a panel that restarts', () => {
  it('refuses every operation with 503, which is explained once', () => {
    for (const { name, operation } of operations) {
      const refusal = shared(operation.responses['503'] ?? {});
      expect([name, codesOf(refusal ?? {})]).toEqual([name, expect.arrayContaining(['restarting'])]);
    }
    const explained = Object.entries(document.components.responses).filter(([, { description = '' }]) =>
      description.includes('a change of profile'),
    );
    expect(explained.map(([name]) => name)).toEqual(['r503']);
    for (const [name, { description }] of Object.entries(document.components.responses))
      if (name.startsWith('r503.')) expect(description).toMatch(/^As `r503`/);
  });
});

describe('a name', () => {
  it('in camelCase is one of those that are told of, and no other is added', () => {
    const found = new Set<string>();
    const walk = (node: unknown, schema: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'example') continue;
        if (key === 'properties')
          for (const name of Object.keys(value as object)) if (/[A-Z]/.test(name)) found.add(schema);
        walk(value, schema);
      }
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name);
    const named = ['EntityFilter', 'DashboardFilter', 'SchemaItem'];
    // The documents of /api/v1/proximity, /api/v1/auto-brightness and /api/v1/simulator.
    const rooms = ['AutoBrightnessDecision', 'LightHistory', 'LightSources'];
    const islands = ['Proximity', 'CalibrationStep', ...rooms, 'SimulatedDay', 'SimulatedPanel', 'SimulatorTouch'];
    expect([...found].toSorted()).toEqual([...named, ...islands].toSorted());
    for (const name of named) expect(document.info.description).toContain(`\`${name}\``);
  });
  it('of a page that is also one of the machine API is told as a page', () => {
    const [, pages = ''] = /A GET of (.+?) is a page/.exec(document.info.description) ?? [];
    expect(pages.split(', ')).toEqual(
      ['setup/reset', 'setup', 'companion', 'simulator', 'logs', 'history', 'profiles'].map((path) => `\`/${path}\``),
    );
  });
});

describe('every answer', () => {
  it('has the headers that are told of once, because they would be a tenth of the document', () => {
    for (const header of ['X-Content-Type-Options', 'Cache-Control', 'Content-Encoding', 'Vary'])
      expect(document.info.description).toContain(`\`${header}: `);
  });
});

describe('what is sent', () => {
  it('to /play is an address as plain text, as JSON or as a form', () => {
    for (const path of ['/play', '/api/v1/play'])
      expect(Object.keys(document.paths[path]?.['post']?.requestBody?.content ?? {})).toEqual([
        'text/plain',
        'application/json',
        'application/x-www-form-urlencoded',
      ]);
  });
  it('to /config is each setting that can be set, with its type and limits, and each flag', () => {
    const properties = document.components.schemas['ConfigChanges']?.properties ?? {};
    const settable = descriptors.filter((row) => !row.readOnly && !row.hidden);
    expect(Object.keys(properties).toSorted()).toEqual(
      [...settable.map(({ key }) => key), ...exposableSettings.map(({ key }) => EXPOSE_PREFIX + key)].toSorted(),
    );
    for (const row of settable) {
      const { type, minimum, maximum, maxLength, enum: options } = properties[row.key] ?? { type: [] };
      const word = {
        BOOL: 'boolean',
        INT: 'integer',
        FLOAT: 'number',
        ENUM: 'string',
        STRING: 'string',
        PASSWORD: 'string',
      };
      expect([row.key, [type].flat()]).toEqual([row.key, [word[row.type], 'null']]);
      if (row.min !== null) expect([row.key, minimum, maximum]).toEqual([row.key, row.min, row.max]);
      if (row.maxLength !== null && row.type !== 'ENUM') expect([row.key, maxLength]).toEqual([row.key, row.maxLength]);
      if (row.type === 'ENUM') expect([row.key, options]).toEqual([row.key, expect.arrayContaining([...row.options])]);
    }
  });
  it('as a parameter has the type of its schema: a number is no text', () => {
    const found: string[] = [];
    for (const { name, spec, operation } of operations)
      for (const { in: where, name: field, schema } of operation.parameters ?? []) {
        const shape = { query: spec.query, path: spec.params, header: spec.headers }[where]?.shape;
        const declared: unknown = shape?.[field];
        if (!(declared instanceof z.ZodType)) throw new Error(`${name} does not declare ${field}`);
        const isOf = {
          integer: [1, 50].some((one) => declared.safeParse(one).success),
          boolean: declared.safeParse(true).success,
        };
        const type = isOf.integer ? 'integer' : isOf.boolean ? 'boolean' : 'string';
        expect([name, field, schema.type]).toEqual([name, field, type]);
        found.push(`${field}: ${schema.type}`);
      }
    for (const one of ['limit: integer', 'backlog: integer', 'since: integer', 'revision: string', 'capture: boolean'])
      expect(found).toContain(one);
  });
});

it('bytes are described as bytes', () => {
  const binary = operations.flatMap(({ spec, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content)
        .filter(([type]) => /^image\/png|^application\/yaml/.test(type))
        .map(([type, { schema }]) => ({ name: `${spec.operationId} ${status} ${type}`, schema })),
    ),
  );
  for (const { name, schema } of binary) expect([name, schema]).toEqual([name, { type: 'string', format: 'binary' }]);
  expect(binary.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['getScreenshot 200 image/png', 'tap 200 image/png']),
  );
});

it('every reference leads somewhere, and every type is one of JSON', () => {
  const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
  const walk = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'example') continue;
      if (key === '$ref') {
        const [, kind, name] = /^#\/components\/(schemas|responses|headers)\/(.+)$/.exec(String(value)) ?? [];
        expect(Object.keys(document.components[kind as 'schemas' | 'responses' | 'headers'] ?? {}), place).toContain(
          name,
        );
      }
      if (key === 'type' && !place.endsWith('/properties'))
        for (const type of [value].flat()) expect(types.has(String(type)), `${place} ${String(type)}`).toBe(true);
      walk(value, `${place}/${key}`);
    }
  };
  walk(document, '');
});

/** A document or a body of an operation, with what stands in the document as an example of it. */
interface Shown {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
  readonly needed: boolean;
}

/** Another name of an operation shows nothing that the operation itself does not. */
const needsExample = (type: string, { deprecated }: RouteSpec): boolean =>
  type === 'application/json' && deprecated !== true;

const answersOf = ({ name, spec, operation }: Named): readonly Shown[] =>
  Object.entries(spec.answers).flatMap(([status, { type, schema, also }]) => {
    const { content = {} } = operation.responses[status] ?? {};
    return [{ type, schema }, ...(also === undefined ? [] : [also])].map((one) => ({
      name: `${name} ${status} ${one.type}`,
      schema: one.schema,
      example: content[one.type]?.example,
      needed: needsExample(one.type, spec),
    }));
  });

function bodyOf({ body }: RouteSpec): readonly (readonly [string, z.ZodType])[] {
  if (body === undefined) return [];
  if (body.reads !== 'raw' && body.reads !== 'file') return [['application/json', schemaOf(body)]];
  return Object.entries(body.types).map(([type, { schema }]): [string, z.ZodType] => [type, schema]);
}

describe('the examples', () => {
  const shown: readonly Shown[] = operations.flatMap((one) => [
    ...answersOf(one),
    ...bodyOf(one.spec).map(([type, schema]) => ({
      name: `${one.name} body ${type}`,
      schema,
      example: one.operation.requestBody?.content[type]?.example,
      needed: needsExample(type, one.spec),
    })),
  ]);
  const given = shown.filter(({ example }) => example !== undefined);

  it('are there for each JSON document and body', () => {
    expect(shown.filter(({ needed, example }) => needed && example === undefined).map(({ name }) => name)).toEqual([]);
    expect(given.length).toBeGreaterThan(30);
  });
  it.each(given)('$name is taken by its schema, with nothing in it that the schema does not know', (one) => {
    const parsed = one.schema.safeParse(one.example);
    expect(parsed.error).toBeUndefined();
    if (!(one.schema instanceof z.ZodPipe)) expect(parsed.data).toEqual(one.example);
  });
  it('of /config is taken by the settings', () => {
    const { example } = shown.find(({ name }) => name === 'post /api/v1/config body application/json') ?? {};
    const merged = mergeSettings(defaultConfiguration, example as Readonly<Record<string, unknown>>);
    expect(merged).toMatchObject({ status: 'saved' });
  });
  it('and the whole document stay small', async () => {
    const bytes = (value: string): number => new TextEncoder().encode(value).length;
    const all: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      if (key !== 'example') return value;
      all.push(JSON.stringify(value));
      return undefined;
    });
    expect(all.length).toBe(given.length);
    expect(bytes(all.join(''))).toBeLessThanOrEqual(60_000);
    // As a panel serves it; what `--inspect` adds is for those who work on the agent.
    expect(bytes(await documentOf(createApp(fakeDeps())))).toBeLessThan(440_000);
  });
});
