/** The room of the example. */
import { SimulationRoom, type SimulationRoomOptions } from 'betwixt/colyseus/server';
import { ServerError, type Client } from '@colyseus/core';
import { createSumo, MAX_NAME, SEATS, VALUES, VERSION } from '../src/simulation.js';

/** HTTP's "upgrade required". */
const OTHER_VERSION = 426;

export class SumoRoom extends SimulationRoom {
  override maxClients = SEATS;

  override simulationOptions: SimulationRoomOptions = { capacity: 16, values: VALUES };

  /** A page that was loaded from an older server would predict another game. */
  static override onAuth(_token: string, options: unknown): Promise<unknown> {
    const { version } = fieldsOf(options);
    if (version === VERSION) return Promise.resolve(true);
    const message = `this page is version ${String(version)} of the game, and the server version ${VERSION}: load the page again`;
    return Promise.reject(new ServerError(OTHER_VERSION, message));
  }

  override createSimulation() {
    return createSumo();
  }

  /** The name that all others see. */
  override joinData(_client: Client, options: unknown) {
    const { name } = fieldsOf(options);
    if (typeof name !== 'string') return null;
    const shown = [...name.trim()].slice(0, MAX_NAME).join('');
    return shown === '' ? null : shown;
  }
}

/** A client may send anything. */
const fieldsOf = (options: unknown): { readonly [name: string]: unknown } =>
  typeof options === 'object' && options !== null ? { ...options } : {};
