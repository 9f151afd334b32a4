/** A dashboard over Home Assistant's demonstration home, as an owner might hang it up. */
export const dashboard: object = {
  views: [
    {
      title: 'Hall',
      path: 'hall',
      type: 'sections',
      max_columns: 3,
      sections: [
        {
          type: 'grid',
          cards: [
            { type: 'heading', heading: 'Lights', icon: 'mdi:lightbulb' },
            { type: 'tile', entity: 'light.ceiling_lights', features: [{ type: 'light-brightness' }] },
            { type: 'tile', entity: 'light.kitchen_lights', features: [{ type: 'light-brightness' }] },
            { type: 'tile', entity: 'light.bed_light', name: 'Bedroom' },
            { type: 'tile', entity: 'switch.decorative_lights', name: 'Decoration' },
            { type: 'tile', entity: 'light.entrance_color_white_lights', name: 'Entrance' },
            { type: 'tile', entity: 'light.living_room_rgbww_lights', name: 'Living room' },
            { type: 'heading', heading: 'Doors', icon: 'mdi:door' },
            { type: 'tile', entity: 'lock.front_door' },
            { type: 'tile', entity: 'cover.garage_door' },
            { type: 'tile', entity: 'lock.kitchen_door' },
            { type: 'tile', entity: 'binary_sensor.movement_backyard', name: 'Backyard' },
            { type: 'heading', heading: 'Cleaning', icon: 'mdi:robot-vacuum' },
            {
              type: 'tile',
              entity: 'vacuum.demo_vacuum_0_ground_floor',
              name: 'Ground floor',
              features: [{ type: 'vacuum-commands', commands: ['start_pause', 'return_home'] }],
              grid_options: { columns: 12 },
            },
          ],
        },
        {
          type: 'grid',
          cards: [
            { type: 'heading', heading: 'Climate', icon: 'mdi:home-thermometer' },
            { type: 'thermostat', entity: 'climate.heatpump', name: 'Living room' },
            { type: 'tile', entity: 'sensor.outside_humidity', name: 'Humidity' },
            { type: 'tile', entity: 'sensor.carbon_dioxide', name: 'Air' },
            { type: 'tile', entity: 'sensor.power_consumption', name: 'Power' },
            { type: 'tile', entity: 'fan.living_room_fan', name: 'Fan' },
            { type: 'heading', heading: 'Garden', icon: 'mdi:sprinkler' },
            { type: 'tile', entity: 'valve.front_garden', name: 'Front' },
            { type: 'tile', entity: 'valve.orchard', name: 'Orchard' },
          ],
        },
        {
          type: 'grid',
          cards: [
            { type: 'heading', heading: 'Today', icon: 'mdi:weather-partly-cloudy' },
            { type: 'weather-forecast', entity: 'weather.demo_weather_south', forecast_type: 'daily', name: 'Outside' },
            { type: 'heading', heading: 'Windows', icon: 'mdi:blinds' },
            { type: 'tile', entity: 'cover.hall_window', features: [{ type: 'cover-open-close' }] },
            { type: 'tile', entity: 'cover.kitchen_window', features: [{ type: 'cover-open-close' }] },
            { type: 'heading', heading: 'Music', icon: 'mdi:music' },
            {
              type: 'tile',
              entity: 'number.volume',
              name: 'Volume',
              icon: 'mdi:volume-high',
              features: [{ type: 'numeric-input', style: 'slider' }],
              grid_options: { columns: 12 },
            },
          ],
        },
      ],
    },
  ],
};
