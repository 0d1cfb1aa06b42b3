/** Control words: indices into the Int32Array at byte 0. Who writes each, and what it means: docs/protocol.md. */

export const magic = 0;
export const version = 1;
export const capacity = 2;
export const stateCapacity = 3;
export const byteLength = 4;
export const inputWords = 5;
export const eventWords = 6;
export const velocities = 7;
export const values = 8;
export const doorbell = 16;
export const stopRequest = 17;
export const phase = 18;
export const heartbeat = 19;
export const activity = 20;
export const callLength = 21;
export const clockRequest = 32;
export const clockReply = 33;
export const clockSession = 34;
export const eventWakeRequested = 35;
export const frameUs = 36;
export const framePeriodUs = 37;
export const frameEarlyUs = 38;
export const mailbox = 48;
export const statusMailbox = 49;
export const inputTail = 64;
export const inputRefused = 65;
export const inputHead = 80;
export const eventTail = 96;
export const eventRefused = 97;
export const eventHead = 112;
/** First word of a call's text. */
export const call = 128;
