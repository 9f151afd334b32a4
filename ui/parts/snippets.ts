/** The values for the snippets. */
export interface SnippetFacts {
  /**
   * Origin of the panel as the visitor reached it, or its network address if that was loopback; null if the request
   * named none.
   */
  readonly origin: string | null;
  /** Lower-case letters, digits and underscores. */
  readonly panelId: string;
  readonly name: string;
  /** Origin of Home Assistant from the settings; '' if not set. */
  readonly homeAssistant: string;
}

/** Ids of the snippets; the strings have each one's title, effect and what to adapt. */
type SnippetId = 'motion' | 'doorbell' | 'night' | 'reload' | 'speak';

/** A piece of YAML for Home Assistant. */
export interface Snippet {
  readonly id: SnippetId;
  /** Where it goes: the main file, or an automation's YAML editor. */
  readonly place: 'configuration' | 'automation';
  readonly yaml: string;
  /** Line for `secrets.yaml`, if the YAML refers to one. */
  readonly secret?: string;
}

/** Placeholder for an unknown panel address. */
const noOrigin = 'http://192.0.2.20:8888';
/** Home Assistant's default name on a network. */
const usualAddress = 'http://homeassistant.local:8123';

/** A text as a YAML scalar: JSON strings are valid YAML. */
const quoted = (text: string): string => JSON.stringify(text);

/**
 * The label after `script` lets it coexist with the `script: !include scripts.yaml` that Home Assistant itself writes
 * (https://www.home-assistant.io/docs/configuration/splitting_configuration): a second plain key would replace that.
 */
function speak({ origin, panelId, homeAssistant }: SnippetFacts): string {
  const home = homeAssistant === '' ? usualAddress : homeAssistant;
  return `rest_command:
  ${panelId}_speech:
    url: ${quoted(`${home}/api/tts_get_url`)}
    method: post
    headers:
      authorization: !secret ${panelId}_speech
    content_type: application/json
    payload: '{"engine_id": "tts.home_assistant_cloud", "message": {{ message | tojson }}}'
  ${panelId}_play:
    url: ${quoted(`${origin ?? noOrigin}/play`)}
    method: post
    payload: "{{ url }}"
script ${panelId}:
  ${panelId}_say:
    fields:
      message:
        required: true
        selector:
          text:
    sequence:
      - action: rest_command.${panelId}_speech
        data:
          message: "{{ message }}"
        response_variable: speech
      - action: rest_command.${panelId}_play
        data:
          url: "${home}{{ speech.content.path }}"
`;
}

const motion = ({ panelId, name }: SnippetFacts): string => `alias: ${quoted(`${name}: light the screen at motion`)}
mode: single
triggers:
  - trigger: state
    entity_id: binary_sensor.hall_motion
    to: "on"
conditions:
  - condition: state
    entity_id: light.${panelId}_screen
    state: "off"
actions:
  - action: light.turn_on
    target:
      entity_id: light.${panelId}_screen
`;

const doorbell = ({ panelId, name }: SnippetFacts): string => `alias: ${quoted(`${name}: show the door when it rings`)}
mode: restart
triggers:
  - trigger: state
    entity_id: binary_sensor.doorbell
    to: "on"
actions:
  - action: light.turn_on
    target:
      entity_id: light.${panelId}_screen
  - action: text.set_value
    target:
      entity_id: text.${panelId}_navigate
    data:
      value: /lovelace/door
  - delay: "00:01:00"
  - action: text.set_value
    target:
      entity_id: text.${panelId}_navigate
    data:
      value: /lovelace
`;

const night = ({ panelId, name }: SnippetFacts): string => `alias: ${quoted(`${name}: dim the screen at night`)}
mode: single
triggers:
  - trigger: time
    at: "22:30:00"
    id: night
  - trigger: time
    at: "07:00:00"
    id: day
conditions:
  - condition: state
    entity_id: light.${panelId}_screen
    state: "on"
actions:
  - action: light.turn_on
    target:
      entity_id: light.${panelId}_screen
    data:
      brightness_pct: "{{ 5 if trigger.id == 'night' else 70 }}"
`;

const reload = ({ panelId, name }: SnippetFacts): string => `alias: ${quoted(`${name}: reload the dashboard each week`)}
mode: single
triggers:
  - trigger: time
    at: "04:00:00"
conditions:
  - condition: time
    weekday:
      - sun
actions:
  - action: button.press
    target:
      entity_id: button.${panelId}_reload
`;

/** Every snippet for this panel, the most wanted first. */
export const snippetsOf = (facts: SnippetFacts): readonly Snippet[] => [
  { id: 'motion', place: 'automation', yaml: motion(facts) },
  { id: 'doorbell', place: 'automation', yaml: doorbell(facts) },
  { id: 'night', place: 'automation', yaml: night(facts) },
  { id: 'reload', place: 'automation', yaml: reload(facts) },
  {
    id: 'speak',
    place: 'configuration',
    yaml: speak(facts),
    secret: `${facts.panelId}_speech: "Bearer LONG_LIVED_ACCESS_TOKEN"`,
  },
];
