export { MqttClient } from 'mqtt';
