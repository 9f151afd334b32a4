/** A panel with a loudspeaker and a microphone of the sound system, and nothing else: it touches no hardware. */
export const voicePanel = `schema: 1
id: voice-panel
version: 1.0.0
display_name: Panel without a screen
metadata:
  author: Sconce
  license: MIT
  maturity: experimental
requires:
  drivers: [volume.system, loudspeaker.system]
match:
  priority: 0
  fallback: false
  any:
    - priority: 0
      all:
        - { field: devicetree_model, op: equals, values: [none] }
platform:
  os: linux
hardware:
  volume: { driver: volume.system }
  loudspeaker: { driver: loudspeaker.system }
  camera: absent
  microphone: auto
`;
