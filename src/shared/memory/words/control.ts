/**
 * Control words: indices into the Int32Array at byte 0.
 *
 * | word | written by | meaning |
 * |---|---|---|
 * | magic, version, capacity, stateCapacity, inputWords, eventWords, byteLength | creator, once | what this buffer is |
 * | doorbell | page (add) | rung to end the worker's sleep; also the number of control messages sent |
 * | stopRequest | page | 1: leave the loop |
 * | phase | worker | see WORKER_PHASE |
 * | heartbeat | worker (add) | passes and ticks of the loop, so that a hang can be detected |
 * | activity | worker | see WORKER_ACTIVITY |
 * | clockRequest | page | sequence number of a clock ping |
 * | clockReply | worker | sequence number of the answered ping |
 * | clockSession | both | 0 closed, 1 the worker is answering pings, 2 the page is done |
 * | eventWakeRequested | both (exchange) | 1: the page asks for a message when there is an event |
 * | mailbox | both (exchange) | index of the middle slot, and whether it is fresh |
 * | statusMailbox | both (exchange) | the same for the status records |
 * | inputTail, inputRefused; eventHead | page | its ends of the queues, see record-queue.ts |
 * | inputHead; eventTail, eventRefused | worker | its ends of the queues |
 */

export const magic = 0;
export const version = 1;
export const capacity = 2;
export const stateCapacity = 3;
export const byteLength = 4;
export const inputWords = 5;
export const eventWords = 6;
export const doorbell = 16;
export const stopRequest = 17;
export const phase = 18;
export const heartbeat = 19;
export const activity = 20;
export const clockRequest = 32;
export const clockReply = 33;
export const clockSession = 34;
export const eventWakeRequested = 35;
export const mailbox = 48;
export const statusMailbox = 49;
export const inputTail = 64;
export const inputRefused = 65;
export const inputHead = 80;
export const eventTail = 96;
export const eventRefused = 97;
export const eventHead = 112;
