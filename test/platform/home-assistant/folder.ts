import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where everything is that the platform tests install. */
export const cache =
  process.env['SCONCE_TEST_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sconce-test');

/** The root folder that `install.sh` made. */
export const root = join(cache, 'root-forky');
/** An earlier version than the usual one, which `install.sh` made too. */
const earlier = process.env['SCONCE_HOME_ASSISTANT'];
/** Where Home Assistant is in there. */
export const venv = `/srv/venv-${earlier ?? '2026.11.0'}`;

const configuration = `homeassistant:
  name: Test home
  latitude: 52.0
  longitude: 5.0
  elevation: 5
  unit_system: metric
  currency: EUR
  country: NL
  time_zone: Europe/Amsterdam
frontend:
  extra_module_url: /local/script.js
api:
config:
logger:
  default: warning
`;

/**
 * A voice that needs no network, and the commands of the README with what is known only later (the panel, the token) as
 * variables.
 */
const speech = (url: string): string => `tts:
  - platform: demo
rest_command:
  hall_panel_speech:
    url: "${url}/api/tts_get_url"
    method: post
    headers:
      authorization: "Bearer {{ token }}"
    content_type: application/json
    payload: '{"engine_id": "demo", "message": {{ message | tojson }}}'
  hall_panel_play:
    url: "{{ panel }}/play"
    method: post
    payload: "{{ url }}"
script hall_panel:
  hall_panel_say:
    sequence:
      - action: rest_command.hall_panel_speech
        data:
          message: "{{ message }}"
          token: "{{ token }}"
        response_variable: speech
      - action: rest_command.hall_panel_play
        data:
          panel: "{{ panel }}"
          url: "${url}{{ speech.content.path }}"
`;

/** A custom script of the owner's that never ends, once, when the address asks for it. */
const HANG = `const look = () => {
  if (location.search !== '?hang' || sessionStorage.hung === 'yes') return;
  sessionStorage.hung = 'yes';
  for (;;);
};
setInterval(look, 100);
`;

/** An integration whose set-up waits as long as there is the file `hold` in the folder: so long it is starting. */
const HELD = `import asyncio
import os


async def async_setup(hass, config):
    while os.path.exists(hass.config.path("hold")):
        await asyncio.sleep(0.05)
    return True
`;
const MANIFEST = {
  version: '1.0.0',
  documentation: 'https://example.invalid',
  codeowners: [],
  iot_class: 'calculated',
};

/** A house of sensors: `house.rate` sets how many of them change in a second, one after the other; 0 stops that. */
const HOUSE = `import asyncio


async def async_setup(hass, config):
    count = config["house"]["entities"]
    names = [f"sensor.house_{number}" for number in range(count)]
    house = {"rate": 0}

    def change(name, value):
        hass.states.async_set(name, value, {"unit_of_measurement": "W", "friendly_name": name})

    for name in names:
        change(name, "0")

    async def live():
        value = owed = 0
        while True:
            await asyncio.sleep(0.005)
            owed += house["rate"] * 0.005
            while owed >= 1:
                owed -= 1
                value += 1
                change(names[value % count], str(value))

    async def rate(call):
        house["rate"] = call.data["per_second"]

    hass.services.async_register("house", "rate", rate)
    hass.async_create_background_task(live(), "house")
    return True
`;

/** The past of an entity: `past.states` records states since given seconds, `past.statistics` means by 5 minutes. */
const PAST = `from datetime import UTC, datetime

from homeassistant.components.recorder import get_instance
from homeassistant.components.recorder.db_schema import StatisticsShortTerm
from homeassistant.components.recorder.models import StatisticMeanType

LIGHT = {"unit_of_measurement": "lx", "device_class": "illuminance"}


async def async_setup(hass, config):
    async def states(call):
        for at, state in call.data["states"]:
            hass.states.async_set(call.data["entity_id"], state, LIGHT, timestamp=at)
        await hass.async_block_till_done()
        await get_instance(hass).async_block_till_done()

    async def statistics(call):
        known = {
            "source": "recorder",
            "statistic_id": call.data["entity_id"],
            "name": None,
            "mean_type": StatisticMeanType.ARITHMETIC,
            "has_sum": False,
            "unit_of_measurement": "lx",
            "unit_class": None,
        }
        rows = [
            {"start": datetime.fromtimestamp(at, UTC), "mean": mean, "min": low, "max": high}
            for at, mean, low, high in call.data["rows"]
        ]
        get_instance(hass).async_import_statistics(known, rows, StatisticsShortTerm)
        await get_instance(hass).async_block_till_done()

    hass.services.async_register("past", "states", states)
    hass.services.async_register("past", "statistics", statistics)
    return True
`;

/**
 * A conversation agent for the tests: `asker.answers` has what it says to which sentence. Home Assistant continues a
 * conversation after a question of an agent, but not after one of its own.
 */
const ASKER = `from homeassistant.components import conversation
from homeassistant.components.conversation.const import DATA_COMPONENT


class Asker(conversation.ConversationEntity):
    _attr_name = "Asker"
    _attr_unique_id = "asker"
    supported_languages = "*"

    def __init__(self, answers):
        self.answers = answers

    async def _async_handle_message(self, user_input, chat_log):
        answer = self.answers.get(user_input.text, "")
        chat_log.async_add_assistant_content_without_tools(
            conversation.AssistantContent(agent_id=user_input.agent_id, content=answer)
        )
        return conversation.async_get_result_from_chat_log(user_input, chat_log)


async def async_setup(hass, config):
    await hass.data[DATA_COMPONENT].async_add_entities([Asker(config["asker"])])
    return True
`;

/** Two lights that remember their state, and the agent of the tests. */
const listening = (answers: Readonly<Record<string, string>>): string => `conversation:
template:
  - light:
      - name: Ceiling
        unique_id: ceiling
        turn_on: []
        turn_off: []
      - name: Lamp
        unique_id: lamp
        turn_on: []
        turn_off: []
asker: ${JSON.stringify(answers)}
`;

/** Makes an integration of the tests: its code and what says what it is. */
function writeIntegration(folder: string, domain: string, code: string, dependencies: readonly string[] = []): void {
  const integration = join(folder, 'custom_components', domain);
  mkdirSync(integration, { recursive: true });
  writeFileSync(join(integration, '__init__.py'), code);
  writeFileSync(
    join(integration, 'manifest.json'),
    JSON.stringify({ ...MANIFEST, domain, name: domain, dependencies }),
  );
}

// All of onboarding but the owner is answered here: its other steps add entries that look for the internet.
const onboarding = {
  version: 4,
  minor_version: 1,
  key: 'onboarding',
  data: { done: ['core_config', 'analytics', 'integration'] },
};

// Earlier versions have it in YAML; later ones only try that, and after 5 minutes unconfirmed go back to port 8123 and
// exit.
const httpInYaml = (port: number): string => `http:\n  server_host: 127.0.0.1\n  server_port: ${port}\n`;
const http = (port: number) => ({
  version: 3,
  minor_version: 1,
  key: 'http',
  data: {
    pending: null,
    yaml_migration_done: true,
    stable: {
      server_host: ['127.0.0.1'],
      server_port: port,
      cors_allowed_origins: ['https://cast.home-assistant.io'],
      login_attempts_threshold: -1,
      ip_ban_enabled: true,
      ssl_profile: 'intermediate_v6',
      use_x_frame_options: true,
      created_at: '2026-11-01T00:00:00+00:00',
      error: null,
      error_message: null,
    },
  },
});

/** Address of one that listens on `port`. */
export const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

/** What one has beside its plain self. */
export interface HomeOptions {
  /** A voice. */
  readonly speaks?: boolean;
  /** A start that can be held back. */
  readonly holds?: boolean;
  /** Sensors of a house that `house.rate` has change. */
  readonly entities?: number;
  /** A recorder, and actions that write what lies in the past. */
  readonly records?: boolean;
  /** Lights, and a conversation agent `conversation.asker` with these answers. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** Writes what a Home Assistant on `port` reads at its start. */
export function writeConfiguration(folder: string, port: number, options: HomeOptions): void {
  const { speaks = false, holds = false, entities = 0, records = false, answers } = options;
  const more = [
    earlier === undefined ? '' : httpInYaml(port),
    speaks ? speech(urlOf(port)) : '',
    holds ? 'held_start:\n' : '',
    entities > 0 ? `house:\n  entities: ${entities}\n` : '',
    records ? 'recorder:\n  commit_interval: 1\nhistory:\npast:\n' : '',
    answers === undefined ? '' : listening(answers),
  ];
  writeFileSync(join(folder, 'configuration.yaml'), `${configuration}${more.join('')}`);
  if (holds) writeIntegration(folder, 'held_start', HELD);
  if (entities > 0) writeIntegration(folder, 'house', HOUSE);
  if (records) writeIntegration(folder, 'past', PAST);
  if (answers !== undefined) writeIntegration(folder, 'asker', ASKER, ['conversation']);
  if (earlier === undefined) writeFileSync(join(folder, '.storage/http'), JSON.stringify(http(port)));
}

/** A folder for one instance, not onboarded yet. */
export function newFolder(): string {
  if (!existsSync(join(root, venv, '.complete')))
    throw new Error(`Home Assistant is not installed: test/platform/install.sh ${cache}`);
  const folder = mkdtempSync(join(root, 'srv/runs/'));
  mkdirSync(join(folder, '.storage'));
  mkdirSync(join(folder, 'www'));
  writeFileSync(join(folder, 'www/script.js'), HANG);
  writeFileSync(join(folder, '.storage/onboarding'), JSON.stringify(onboarding));
  return folder;
}
