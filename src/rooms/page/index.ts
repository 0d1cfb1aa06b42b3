/** Entry point for pages that show the simulation of a room: `betwixt/colyseus`. */
export { connectRoom, type ConnectRoomOptions } from './connect-room.js';
export { RoomConnectionError } from './room-link.js';
export type { ClientRoom } from './room-link.js';
export type { RoomConnection, RoomHandle } from './room-handle.js';
