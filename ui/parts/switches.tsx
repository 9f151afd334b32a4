import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t, tOr } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import { Note } from './note.tsx';
import { brightnessPercent } from './panel-drawing.tsx';
import type { Sections } from './sections.ts';

type Lights = StatusDocument['lights'];
type Light = NonNullable<Lights[keyof Lights]>;

/** The capability of a light or relay whose name differs (contract, "Platform entities"). */
const capabilityOf: Readonly<Record<string, string>> = { buttons: 'button_backlight' };

function titleOf(status: Sections<'capabilities'>, id: string): string {
  const capability = capabilityOf[id] ?? id;
  return status.capabilities.find((row) => row.id === capability)?.title ?? id;
}

const word = (on: boolean | null): string =>
  on === null ? t('controls.unknown') : t(on ? 'controls.on' : 'controls.off');

/** Why the last request failed. */
export const Fault = ({ reason }: { readonly reason: string | null }) =>
  reason === null ? null : (
    <p class="said refused">{tOr(`controls.fault.${reason}`, t('controls.fault', { reason }))}</p>
  );

/** A light or relay: its name, a switch, and its other controls. */
const SwitchRow = (props: {
  readonly kind: 'light' | 'relay';
  readonly id: string;
  readonly title: string;
  readonly on: boolean | null;
  readonly words: string;
  readonly fault: string | null;
  readonly children?: JSX.Element | null;
}) => (
  <li data-control>
    <div class="control-row">
      <span class="control-name">{props.title}</span>
      <span class="control-value">{props.words}</span>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={props.on === true ? 'true' : 'false'}
        aria-label={props.title}
        data-act={props.kind}
        data-id={props.id}
        data-on={props.on === true ? '0' : '1'}
        disabled
      ></button>
    </div>
    <Note />
    {props.children ?? null}
    <Fault reason={props.fault} />
  </li>
);

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** Brightness and colour of a light, if it has them; one that is off only has the switch. */
const LightMore = ({ id, title, light }: { readonly id: string; readonly title: string; readonly light: Light }) =>
  light.on !== true || (light.brightness === null && light.rgb === null) ? null : (
    <div class="light-more">
      {light.brightness === null ? null : (
        <input
          type="range"
          class="range"
          id={`${id}-level`}
          aria-label={`${t('controls.brightness')}: ${title}`}
          min="1"
          max="255"
          step="1"
          value={light.brightness}
          data-slide="light"
          data-id={id}
          disabled
        />
      )}
      {light.rgb === null ? null : (
        <input
          type="color"
          class="colour"
          id={`${id}-colour`}
          aria-label={`${t('controls.colour')}: ${title}`}
          value={hex(light.rgb)}
          data-colour={id}
          disabled
        />
      )}
    </div>
  );

const lightWords = ({ on, brightness }: Light): string =>
  on === true && brightness !== null ? `${brightnessPercent(brightness)} %` : word(on);

interface Group {
  readonly id: 'lights' | 'relays';
  readonly icon: IconName;
  readonly title: string;
  readonly lit: number;
  readonly children: readonly JSX.Element[];
}

/** Many similar controls behind one line with their number and how many are on. */
const Group = ({ id, icon, title, lit, children }: Group) =>
  children.length === 0 ? null : (
    <details class="fold" id={id}>
      <summary>
        <Icon name={icon} />
        <span class="fold-title">
          {title}
          <span class="fold-hint">{lit === 0 ? t('controls.all_off') : t('controls.some_on', { count: lit })}</span>
        </span>
      </summary>
      <ul>{children}</ul>
    </details>
  );

export function Lights({ status }: { readonly status: Sections<'lights' | 'capabilities'> }) {
  // Missing hardware has no switch; the card of capabilities says why.
  const here = Object.entries(status.lights).filter(([, light]) => light.state !== 'not_here');
  return (
    <Group
      id="lights"
      icon="mdi:lightbulb-on-outline"
      title={t('controls.lights', { count: here.length })}
      lit={here.filter(([, light]) => light.on === true).length}
    >
      {here.map(([id, light]) => {
        const title = titleOf(status, id);
        return (
          <SwitchRow
            key={id}
            kind="light"
            id={id}
            title={title}
            on={light.on}
            words={lightWords(light)}
            fault={light.fault}
          >
            <LightMore id={id} title={title} light={light} />
          </SwitchRow>
        );
      })}
    </Group>
  );
}

export function Relays({ status }: { readonly status: Sections<'relays' | 'capabilities'> }) {
  const here = Object.entries(status.relays).filter(([, relay]) => relay.state !== 'not_here');
  return (
    <Group
      id="relays"
      icon="mdi:power-plug-outline"
      title={t('controls.relays', { count: here.length })}
      lit={here.filter(([, relay]) => relay.on === true).length}
    >
      {here.map(([id, relay]) => (
        <SwitchRow
          key={id}
          kind="relay"
          id={id}
          title={titleOf(status, id)}
          on={relay.on}
          words={word(relay.on)}
          fault={relay.fault}
        />
      ))}
    </Group>
  );
}
