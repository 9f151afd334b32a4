import type { AsksOf, ErasedActor, Merged } from './kit/actor.ts';
import type { AdbActor } from './adb/events.ts';
import type { AdvertiserActor } from './advertiser/events.ts';
import type { AnnouncerActor } from './announcer/events.ts';
import type { ApprovalsActor } from './approvals/events.ts';
import type { AutoBrightnessActor } from './auto-brightness/events.ts';
import type { AutoSleepActor } from './auto-sleep/events.ts';
import type { BackupActor } from './backup/events.ts';
import type { BrokerProbeActor } from './broker-probe/events.ts';
import type { CameraActor } from './camera/events.ts';
import type { CameraSessionActor } from './camera-session/events.ts';
import type { CompanionActor } from './companion/events.ts';
import type { ConfigCopiesActor } from './config-copies/events.ts';
import type { EntityFilterActor } from './entity-filter/events.ts';
import type { FinderActor } from './finder/events.ts';
import type { HomeAssistantActor } from './home-assistant/events.ts';
import type { HomePresenceActor } from './home-presence/events.ts';
import type { HomeProbeActor } from './home-probe/events.ts';
import type { HistoryActor } from './history/events.ts';
import type { HttpActor } from './http/events.ts';
import type { IdentityActor } from './identity/events.ts';
import type { InUseActor } from './in-use/events.ts';
import type { InputActor } from './input/events.ts';
import type { InspectorActor } from './inspector/events.ts';
import type { LightActor } from './lights/events.ts';
import type { LogFilesActor } from './log-files/events.ts';
import type { LiveLogActor } from './live-log/events.ts';
import type { MaintenanceActor } from './maintenance/events.ts';
import type { MicrophoneActor } from './microphone/events.ts';
import type { MqttActor } from './mqtt/events.ts';
import type { PathProbeActor } from './path-probe/events.ts';
import type { PowerActor } from './power/events.ts';
import type { ActiveProfileActor } from './active-profile/events.ts';
import type { ProfileCatalogActor } from './profile-catalog/events.ts';
import type { ProvisioningActor } from './provisioning/events.ts';
import type { ProximityActor } from './proximity/events.ts';
import type { PublisherActor } from './publisher/events.ts';
import type { ReadingsActor } from './readings/events.ts';
import type { RelayActor } from './relays/events.ts';
import type { RelightActor } from './relight/events.ts';
import type { RendererActor } from './renderer/events.ts';
import type { ResetActor } from './reset/events.ts';
import type { ScreenActor } from './screen/events.ts';
import type { SensorActor } from './sensors/events.ts';
import type { ServiceActor } from './service/events.ts';
import type { SettingsActor } from './settings/events.ts';
import type { SetupActor } from './setup/events.ts';
import type { SignInActor } from './sign-in/events.ts';
import type { SimulatorActor } from './simulator/events.ts';
import type { StorageHealthActor } from './storage-health/events.ts';
import type { StoreActor } from './store/events.ts';
import type { StreamActor } from './stream/events.ts';
import type { UpdatesActor } from './updates/events.ts';
import type { VoiceActor } from './voice/events.ts';
import type { VolumeActor } from './volume/events.ts';
import type { ZigbeeActor } from './zigbee/events.ts';

type EveryActor =
  | AdbActor
  | AdvertiserActor
  | AnnouncerActor
  | ApprovalsActor
  | AutoBrightnessActor
  | AutoSleepActor
  | BackupActor
  | BrokerProbeActor
  | CameraActor
  | CameraSessionActor
  | CompanionActor
  | ConfigCopiesActor
  | EntityFilterActor
  | FinderActor
  | HistoryActor
  | HomeAssistantActor
  | HomePresenceActor
  | HomeProbeActor
  | HttpActor
  | IdentityActor
  | InUseActor
  | InputActor
  | InspectorActor
  | LightActor
  | LogFilesActor
  | LiveLogActor
  | MaintenanceActor
  | MicrophoneActor
  | MqttActor
  | PathProbeActor
  | PowerActor
  | ActiveProfileActor
  | ProfileCatalogActor
  | ProvisioningActor
  | ProximityActor
  | PublisherActor
  | ReadingsActor
  | RelayActor
  | RelightActor
  | RendererActor
  | ResetActor
  | ScreenActor
  | SensorActor
  | ServiceActor
  | SettingsActor
  | SetupActor
  | SignInActor
  | SimulatorActor
  | StorageHealthActor
  | StoreActor
  | StreamActor
  | UpdatesActor
  | VoiceActor
  | VolumeActor
  | ZigbeeActor;

/**
 * Every actor of the agent by its registry id. Types only, so that it may be imported from anywhere; a new subsystem
 * adds its interface above.
 */
export type Actors = { readonly [A in EveryActor as A['id']]: A };

/** Registry id of an actor of the agent. */
export type ActorId = keyof Actors;

/** Public facts of the actor of that id. */
export type ContextOf<I extends ActorId> = Actors[I]['context'];

/** Any of them, for tables with rows of all actors. */
export interface AnyActor extends ErasedActor<EveryActor> {
  readonly asks: Merged<AsksOf<EveryActor>>;
}
