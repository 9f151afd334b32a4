import { connect } from 'mqtt';

export const to = connect;
