/** A room of Colyseus that runs a simulation. */
import {
  ClientState,
  CloseCode,
  ErrorCode,
  Room,
  ServerError,
  logger,
  type Client,
  type ExtractRoomClient,
  type RoomOptions,
} from '@colyseus/core';
import { isWelcome, ROOM_MESSAGE, type RoomMode } from '../shared/room-messages.js';
import type { Json } from '../../shared/util/json.js';
import type { Simulation } from '../../sim-worker/api/simulation.js';
import { RoomRun } from '../run/room-run.js';
import { ClientOutbox } from './client-outbox.js';
import { processSchedule } from './room-schedule.js';
import { RoomRecorder } from './room-recorder.js';
import { RoomMeasurements, type SimulationRoomStats } from './room-statistics.js';
import {
  resolveSimulationRoomOptions,
  type ResolvedSimulationRoomOptions,
  type SimulationRoomOptions,
} from '../run/room-options.js';

/** A client of the room, which has a seat. */
interface Member {
  readonly seat: number;
  readonly outbox: ClientOutbox;
  /** Undefined: the connection is lost, and the seat is kept. */
  client: Client | undefined;
  /** When the connection began, in ms on the clock of the schedule. */
  connectedMs: number;
  /** Whether it was sent away: its seat is not kept. */
  isOver: boolean;
}

/** The parts of a room that exist from its creation until it is disposed. */
interface OpenRun {
  readonly run: RoomRun;
  readonly settings: ResolvedSimulationRoomOptions;
  readonly recorder: RoomRecorder | undefined;
  /** When the run began, in ms on the clock of the schedule. */
  readonly startMs: number;
}

/**
 * A room that runs a simulation, for all its clients, at a fixed rate: tick k is due k periods after the start, and later only
 * by ticks that were dropped because the process was late. Rooms of a process begin in such a way that their ticks are due at
 * different moments of the period. Extend it, and define it as any room of Colyseus:
 *
 *     class Arena extends SimulationRoom {
 *       override maxClients = 8;
 *       override simulationOptions = { tickRateHz: 60, recording: { folder: 'recordings' } };
 *       override createSimulation() {
 *         return createArena();
 *       }
 *     }
 *
 * Matchmaking, authentication, lobby state and all other messages are Colyseus' own. A subclass that has `onCreate`, `onJoin`,
 * `onDrop`, `onReconnect`, `onLeave` or `onDispose` calls the method of this class, too, and awaits it.
 *
 * Each client has a seat, a number from 0 on. Inputs say their seat (`seatOf`), and a command gets it as its first argument.
 * If the simulation has commands `join(seat, data)` and `leave(seat)`, the room calls them, and no client can.
 *
 * Whatever a client sends: the room continues, the others notice nothing, and what was refused is counted in
 * {@link SimulationRoom.stats}.
 *
 * A page refuses a command that is too long for the connection: 4 kB, unless the option `maxPayload` of Colyseus' transport `ws`
 * allows more.
 *
 * @typeParam T The types of Colyseus' `Room`.
 */
export abstract class SimulationRoom<T extends RoomOptions = RoomOptions> extends Room<T> {
  /** Read when the room is created. Default: no options, so that all have their defaults. */
  simulationOptions: SimulationRoomOptions = {};

  /** A client that sends more messages per second is disconnected by Colyseus. Default 600, as clients send with every tick. */
  override maxMessagesPerSecond = 600;

  /**
   * For how long a seat is kept for a client that has asked for one and does not connect, or connects and never confirms it, in s.
   * Default 5, or the environment variable `COLYSEUS_SEAT_RESERVATION_TIME`.
   */
  override seatReservationTimeout = Number(process.env['COLYSEUS_SEAT_RESERVATION_TIME'] ?? 5);

  readonly #members = new Map<string, Member>();
  readonly #measurements = new RoomMeasurements();
  readonly #erroneousCommands = new Set<string>();
  #open: OpenRun | undefined;
  /** Since when no one has been there, in ms on the clock of the schedule. */
  #desertedMs = 0;
  #isOver = false;
  /** Whether it was logged that the state cannot be saved. */
  #hasRefused = false;
  readonly #scheduled = {
    nextDueMs: 0,
    periodMs: 0,
    run: (nowMs: number) => this.#runDue(nowMs),
  };

  /**
   * Makes the simulation of this room, a new one.
   *
   * @param options As `onCreate` gets them: the options of the definition, and of the client that joins first, which may be
   *   anything.
   */
  abstract createSimulation(options: unknown): Simulation | Promise<Simulation>;

  /**
   * Returns the second argument of the simulation's command `join`, when a client joins.
   *
   * @param client With what `onAuth` has returned as `auth`.
   * @param options The options of the client, which may be anything: return only what you have checked.
   * @returns Plain data. Default: null.
   */
  joinData?(client: ExtractRoomClient<T>, options: unknown): Json;

  /**
   * Called after every tick, for example to copy a score to the state of the room. If it throws, the room is over. Default:
   * nothing happens.
   *
   * @param tick Number of the tick.
   */
  onTick?(tick: number): void;

  /**
   * Called when the room is over because a step of the simulation has thrown; clients have been informed. Default: the error is
   * logged.
   */
  onSimulationError(error: Error): void {
    logger.error(error);
  }

  /**
   * Called when a command of the simulation has thrown, which only ends this call of it. Clients can make that happen as often
   * as they send commands. Default: the first error of each command is logged.
   */
  onCommandError(name: string, error: unknown): void {
    if (this.#erroneousCommands.has(name)) return;
    this.#erroneousCommands.add(name);
    logger.error(
      new Error(`the command "${name}" has thrown; later errors of it are only counted`, {
        cause: error,
      }),
    );
  }

  /** Called when the recording has ended before the room: it is full, or cannot be written. Default: the error is logged. */
  onRecordingError(error: Error): void {
    logger.error(error);
  }

  /** Measurements and counts of the room so far. */
  get stats(): SimulationRoomStats {
    const { run, recorder } = this.#openRun;
    const { sentBytes, commandErrors, stuckClients } = this.#measurements;
    const clients = [...this.#members].map(([sessionId, { seat, outbox, client }]) => ({
      sessionId,
      seat,
      mode: run.modeOf(seat),
      isConnected: client !== undefined,
      sentBytes: outbox.sentBytes,
      bufferedBytes: client === undefined ? 0 : bufferedBytesOf(client),
      droppedMessages: outbox.dropped,
      welcomes: outbox.welcomes,
      received: { ...NOTHING_RECEIVED, ...run.countersOf(seat) },
    }));
    return {
      tick: run.tick,
      ...this.#measurements.percentiles(),
      droppedTicks: run.droppedTicks,
      sentBytes: clients.reduce((sum, client) => sum + client.sentBytes, sentBytes),
      commandErrors,
      stuckClients,
      recording: recorder && {
        file: recorder.file,
        bytes: recorder.bytes,
        lastTick: recorder.flushedTick,
        isComplete: recorder.isComplete,
      },
      clients: clients.toSorted((a, b) => a.seat - b.seat),
    };
  }

  /** The seat of a client, from 0 on. Undefined if it has no seat. */
  seatOf(client: Pick<Client, 'sessionId'>): number | undefined {
    return this.#members.get(client.sessionId)?.seat;
  }

  /**
   * Calls a command of the simulation in the next tick. It is recorded, and clients that simulate run it, too.
   *
   * @param args Plain data, without a seat before them.
   * @throws RangeError if the simulation has no such command. @throws TypeError, RangeError if the arguments are not plain data.
   */
  callCommand(name: string, ...args: readonly Json[]): void {
    this.#openRun.run.call(name, args);
  }

  override async onCreate(options: unknown): Promise<void> {
    const settings = resolveSimulationRoomOptions(this.simulationOptions);
    const simulation = await this.createSimulation(options);
    const run = await RoomRun.open(simulation, settings.run, {
      onPacket: (mode, packet) => this.#sendPacket(mode, packet),
      onJournal: (items) => this.#open?.recorder?.add(items),
      onCommandError: (name, error) => {
        this.#measurements.commandErrors += 1;
        this.onCommandError(name, error);
      },
    });
    let recorder: RoomRecorder | undefined;
    try {
      recorder = await this.#beginRecording(run, settings);
    } catch (error) {
      run.dispose();
      throw error;
    }
    this.#scheduled.periodMs = 1000 / run.options.tickRateHz;
    const startMs = processSchedule.quietStartMs(this.#scheduled.periodMs);
    this.#open = { run, settings, recorder, startMs };
    this.#desertedMs = processSchedule.now();
    this.onMessageBytes(ROOM_MESSAGE, (client: Client, bytes: Uint8Array) =>
      this.#receive(client, bytes),
    );
    this.#setDue();
    processSchedule.add(this.#scheduled);
  }

  /** @throws ServerError if the room is over. @throws TypeError, RangeError if the data for `join` are not plain data. */
  override onJoin(client: ExtractRoomClient<T>, options?: unknown): void | Promise<void> {
    const { run, settings } = this.#openRun;
    if (this.#isOver) throw refusal('the room is over');
    const seat = this.#freeSeat();
    run.join(seat, this.joinData?.(client, options) ?? null, maxPayloadOf(client));
    const member: Member = {
      seat,
      client,
      outbox: new ClientOutbox({
        maxBufferedBytes: settings.maxBufferedBytes,
        maxBehindMs: 1000 * settings.maxBehindSeconds,
      }),
      connectedMs: processSchedule.now(),
      isOver: false,
    };
    this.#members.set(client.sessionId, member);
    this.#watchEnd(member, client);
  }

  override onDrop(client: ExtractRoomClient<T>, code?: number): void | Promise<void>;
  override onDrop(client: ExtractRoomClient<T>): void | Promise<void> {
    const member = this.#members.get(client.sessionId);
    if (member === undefined) return;
    if (member.client === client) member.client = undefined;
    const { reconnectSeconds } = this.#openRun.settings;
    if (member.isOver || isFlooding(client, this.maxMessagesPerSecond)) return;
    if (this.#isOver || reconnectSeconds === 0) return;
    // The reason does not matter: Colyseus also ends a connection that a new one replaces. It then calls onReconnect, or
    // onLeave.
    Promise.resolve(this.allowReconnection(client, reconnectSeconds)).catch(() => undefined);
  }

  override onReconnect(client: ExtractRoomClient<T>): void | Promise<void> {
    const member = this.#members.get(client.sessionId);
    if (member === undefined) throw refusal('the seat is not kept any longer');
    provideWebSocket(client);
    member.client = client;
    member.connectedMs = processSchedule.now();
    member.outbox.reset();
    this.#watchEnd(member, client);
  }

  override onLeave(client: ExtractRoomClient<T>, code?: number): void | Promise<void>;
  override onLeave(client: ExtractRoomClient<T>): void | Promise<void> {
    const member = this.#members.get(client.sessionId);
    if (member === undefined) return;
    this.#members.delete(client.sessionId);
    this.#measurements.sentBytes += member.outbox.sentBytes;
    if (!this.#isOver) this.#openRun.run.leave(member.seat);
  }

  override async onDispose(): Promise<void> {
    processSchedule.remove(this.#scheduled);
    const open = this.#open;
    if (open === undefined) return;
    this.#isOver = true;
    const { run, recorder } = open;
    try {
      run.dispose();
    } catch (error) {
      logger.error(error);
    }
    try {
      await recorder?.close(run.tick);
    } catch (cause) {
      this.onRecordingError(
        new Error(`the recording ${recorder?.file} cannot be finished`, { cause }),
      );
    }
  }

  get #openRun(): OpenRun {
    if (this.#open === undefined) {
      throw new Error(
        'the room has no simulation yet: a subclass with onCreate awaits super.onCreate(options)',
      );
    }
    return this.#open;
  }

  async #beginRecording(
    { description }: RoomRun,
    { recording }: ResolvedSimulationRoomOptions,
  ): Promise<RoomRecorder | undefined> {
    if (recording === undefined) return undefined;
    const name = `${new Date().toISOString()}-${this.roomName}-${this.roomId}`;
    return await RoomRecorder.begin({
      ...recording,
      // The application may use any name for its rooms.
      name: name.replaceAll(/[^\w.-]/g, '-'),
      run: description,
      onEnded: (error) => this.onRecordingError(error),
    });
  }

  #setDue(): void {
    const { run, startMs } = this.#openRun;
    this.#scheduled.nextDueMs = startMs + run.nextDueMs;
  }

  /** Called by the schedule. Must not throw. */
  #runDue(nowMs: number): void {
    const { run, recorder, startMs } = this.#openRun;
    try {
      const latenessMs = nowMs - this.#scheduled.nextDueMs;
      if (run.advance(nowMs - startMs, 1) === 0) return;
      this.#welcome(nowMs);
      this.onTick?.(run.tick);
      if (run.tick % Math.ceil(run.options.tickRateHz) === 0) {
        recorder?.flush(run.tick);
        this.#endIfDeserted(nowMs);
      }
      this.#measurements.noteTick(latenessMs, processSchedule.now() - nowMs);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#setDue();
    }
  }

  /**
   * Colyseus looks whether a room is empty when someone leaves it, and when a reservation is over. It does not look again after
   * the only client has left during `onAuth`, so the room would stay forever.
   */
  #endIfDeserted(nowMs: number): void {
    if (this.#members.size > 0 || this.clients.length > 0) this.#desertedMs = nowMs;
    if (nowMs - this.#desertedMs <= 1000 * this.seatReservationTimeout || !this.autoDispose) return;
    this.#desertedMs = nowMs;
    // Each change of it makes Colyseus look, a second later. A seat that is reserved keeps the room.
    this.autoDispose = false;
    this.autoDispose = true;
  }

  /** The simulation has thrown: the room is over. */
  #fail(cause: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    processSchedule.remove(this.#scheduled);
    const message = `the simulation of this room has failed after tick ${this.#openRun.run.tick}, and the room is over`;
    for (const { client } of this.#members.values()) {
      if (client?.state === ClientState.JOINED) client.error(ErrorCode.APPLICATION_ERROR, message);
    }
    try {
      this.onSimulationError(new Error(message, { cause }));
    } finally {
      // A room that is still being created cannot be disconnected; then no one can join.
      void Promise.resolve()
        .then(() => this.disconnect(CloseCode.WITH_ERROR))
        .catch((error: unknown) => logger.error(error));
    }
  }

  #receive(client: Client, bytes: Uint8Array): void {
    const member = this.#members.get(client.sessionId);
    if (member?.client !== client || member.isOver || this.#isOver) return;
    const { run, startMs } = this.#openRun;
    const nowMs = processSchedule.now();
    let answer: Uint8Array | undefined;
    try {
      answer = run.receive(member.seat, bytes, nowMs - startMs);
    } catch (error) {
      this.#refuse(member, error);
    }
    // Until a client has confirmed that it listens, Colyseus keeps all answers for it, without limit.
    if (answer === undefined || client.state !== ClientState.JOINED) return;
    const { length } = answer;
    if (member.outbox.offerAnswer(length, bufferedBytesOf(client), nowMs, isWelcome(answer))) {
      client.sendBytes(ROOM_MESSAGE, answer);
    }
  }

  #sendPacket(mode: RoomMode, packet: Uint8Array): void {
    const nowMs = processSchedule.now();
    const except = this.clients.filter((client: Client) => {
      const member = this.#members.get(client.sessionId);
      if (member?.client !== client || member.isOver) return true;
      if (this.#openRun.run.modeOf(member.seat) !== mode) return true;
      const buffered = bufferedBytesOf(client);
      if (member.outbox.offerPacket(packet.length, buffered, nowMs)) return false;
      if (member.outbox.isStuck(nowMs)) this.#disconnectStuck(member);
      return true;
    });
    if (except.length === this.clients.length) return;
    this.broadcastBytes(ROOM_MESSAGE, packet, { except });
  }

  /** Sends the whole state to clients that had it and have missed a packet since. */
  #welcome(nowMs: number): void {
    const { run } = this.#openRun;
    for (const member of this.#members.values()) {
      const { client, outbox, seat, isOver } = member;
      if (client === undefined || isOver) continue;
      // A client gets nothing before it has confirmed that it listens, as in #receive.
      if (client.state !== ClientState.JOINED) {
        if (nowMs - member.connectedMs > 1000 * this.seatReservationTimeout) {
          this.#end(member, 'it never confirmed its seat');
        }
        continue;
      }
      const mode = run.modeOf(seat);
      // A client asks for its first state.
      if (mode === undefined) continue;
      if (outbox.isStuck(nowMs)) this.#disconnectStuck(member);
      else if (outbox.canWelcome(bufferedBytesOf(client))) {
        try {
          const welcome = run.welcome(seat, mode);
          outbox.noteWelcome(welcome.length);
          client.sendBytes(ROOM_MESSAGE, welcome);
        } catch (error) {
          this.#refuse(member, error);
        }
      }
    }
  }

  #disconnectStuck(member: Member): void {
    this.#measurements.stuckClients += 1;
    this.#end(member, 'it reads too slowly');
  }

  /** Sends a client away because the state cannot be saved for it. */
  #refuse(member: Member, cause: unknown): void {
    const { client } = member;
    const reason = 'the room cannot save its state';
    if (!this.#hasRefused) {
      logger.error(new Error(`${reason} for a client that asked for it`, { cause }));
    }
    this.#hasRefused = true;
    client?.error(ErrorCode.APPLICATION_ERROR, reason);
    this.#end(member, reason);
  }

  /**
   * Frees the seat of a client that Colyseus or the transport sends away for its messages. Otherwise Colyseus would wait for
   * its answer, and keep the seat as for a lost client.
   */
  #watchEnd(member: Member, client: Client): void {
    const leave = client.leave.bind(client);
    client.leave = (code, reason) => {
      // A client that is no longer in the list has left already, and only its connection is closed.
      const isSentAway = code === CloseCode.WITH_ERROR && this.clients.includes(client as never);
      if (isSentAway) this.#end(member, reason);
      else leave(code, reason);
    };
    const ref = client.ref as { on?(name: 'error', handler: () => void): unknown };
    ref.on?.('error', () => this.#end(member));
  }

  /** Sends a client away for good: its seat is free at once. */
  #end(member: Member, reason?: string): void {
    const { client } = member;
    if (client === undefined || member.isOver) return;
    member.isOver = true;
    this.kickClient(client.sessionId, CloseCode.WITH_ERROR, reason);
  }

  #freeSeat(): number {
    const taken = new Set([...this.#members.values()].map(({ seat }) => seat));
    let seat = 0;
    while (taken.has(seat)) seat += 1;
    return seat;
  }
}

const NOTHING_RECEIVED = { actions: 0, late: 0, early: 0, flooded: 0, malformed: 0 };

/** Whether Colyseus drops the client because it floods: the code is the same as for a connection that a new one replaces. */
function isFlooding(client: Client, most: number): boolean {
  const { _numMessagesLastSecond: messages = 0 } = client as { _numMessagesLastSecond?: number };
  return messages > most;
}

const refusal = (message: string): ServerError =>
  new ServerError(ErrorCode.APPLICATION_ERROR, message);

/** Colyseus reads `WebSocket.OPEN` when a client connects again. Node 20 has no such global, so it gets the transport's. */
function provideWebSocket({ ref }: Client): void {
  const known = globalThis as { WebSocket?: unknown };
  if ('OPEN' in ref.constructor) known.WebSocket ??= ref.constructor;
}

/** Bytes of the longest payload that a connection takes. Undefined if the transport does not say. */
function maxPayloadOf({ ref }: Pick<Client, 'ref'>): number | undefined {
  // In `ws`, which tells it nowhere else. 0: there is no limit.
  const { _receiver: receiver } = ref as { _receiver?: { _maxPayload?: unknown } };
  const { _maxPayload: maxPayload } = receiver ?? {};
  return typeof maxPayload === 'number' ? maxPayload : undefined;
}

/** Bytes that a connection has not sent yet. 0 if the transport does not say. */
function bufferedBytesOf({ ref }: Client): number {
  const { bufferedAmount, getBufferedAmount } = ref as {
    /** In `ws`. */
    readonly bufferedAmount?: number;
    /** In µWebSockets.js. */
    readonly getBufferedAmount?: () => number;
  };
  return bufferedAmount ?? getBufferedAmount?.call(ref) ?? 0;
}
