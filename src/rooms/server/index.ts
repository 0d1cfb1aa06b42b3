/** Entry point for servers with Colyseus: `betwixt/colyseus/server`. */
export { SimulationRoom } from './simulation-room.js';
export type { RoomRecordingOptions, SimulationRoomOptions } from '../run/room-options.js';
export type { RoomClientStats, SimulationRoomStats } from './room-statistics.js';
