const PREFIX = 'companion:';

/** The name by which approvals tell one paired Home Assistant from another; its keys change, its id does not. */
export const companionPeer = (clientId: string): string => PREFIX + clientId;

/** True for the name of a paired Home Assistant. */
export const isCompanionPeer = (peer: string): boolean => peer.startsWith(PREFIX);
