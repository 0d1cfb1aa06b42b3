/** The room of the example. */
import { SimulationRoom, type SimulationRoomOptions } from 'betwixt/colyseus/server';
import { createSumo } from '../src/simulation.js';

export class SumoRoom extends SimulationRoom {
  override maxClients = 8;

  override simulationOptions: SimulationRoomOptions = { capacity: 16 };

  override createSimulation() {
    return createSumo();
  }
}
