/** Entry point for pages that show the simulation of a room: `betwixt/colyseus`. */
export { connectRoom, type ConnectRoomOptions, type RoomHandle } from './connect-room.js';
export { RoomConnectionError, type ClientRoom } from './room-channel.js';
export type { RoomConnection } from './room-connection.js';
