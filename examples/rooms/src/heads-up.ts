/** The title and the list of players, from the simulation's numbers. */
import { COLORS } from './colors.js';
import { PHASES, SEAT_VALUE, SEATS, VALUE, type Fall, type Phase } from './simulation.js';
import { elementById, make, setText } from '../../../site/elements.js';

interface PlayerLine {
  readonly seat: number;
  readonly name: string;
  readonly score: number;
  readonly isOut: boolean;
  readonly isOwn: boolean;
}

interface Score {
  /** The phase, and how long it lasts. */
  readonly title: string;
  /** The best first. */
  readonly players: readonly PlayerLine[];
}

/** Whether the player of each seat is out. */
export const outSeats = (values: ArrayLike<number>): boolean[] =>
  Array.from({ length: SEATS }, (_, seat) => stateOf(values, seat) === 2);

/** @param names Of the players that are drawn, by seat. */
export function scoreOf(
  values: ArrayLike<number>,
  names: ReadonlyMap<number, string>,
  ownSeat: number,
): Score {
  const players = [...names]
    .map(([seat, name]) => ({
      seat,
      name,
      score: values[VALUE.seats + seat * SEAT_VALUE.count + SEAT_VALUE.score] ?? 0,
      isOut: stateOf(values, seat) === 2,
      isOwn: seat === ownSeat,
    }))
    .toSorted((a, b) => b.score - a.score || a.seat - b.seat);
  return { title: titleOf(values, names), players };
}

export function fallText({ seat, by }: Fall, names: ReadonlyMap<number, string>): string {
  const fallen = names.get(seat) ?? 'Someone';
  const other = names.get(by);
  return other === undefined ? `${fallen} has fallen` : `${other} has pushed ${fallen} off`;
}

function titleOf(values: ArrayLike<number>, names: ReadonlyMap<number, string>): string {
  const phase: Phase = PHASES[values[VALUE.phase] ?? 0] ?? 'practice';
  const seconds = Math.max(0, Math.ceil(values[VALUE.secondsLeft] ?? 0));
  const round = values[VALUE.round] ?? 0;
  switch (phase) {
    case 'practice':
      return 'Practice: rounds begin when someone joins';
    case 'ready':
      return `Round ${round} begins in ${seconds}`;
    case 'round':
      return `Round ${round}: ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
    default: {
      const winner = names.get(values[VALUE.winner] ?? -1);
      const won = winner === undefined ? 'No one wins' : `${winner} wins`;
      return `${won}. Next round in ${seconds}`;
    }
  }
}

const stateOf = (values: ArrayLike<number>, seat: number): number =>
  values[VALUE.seats + seat * SEAT_VALUE.count + SEAT_VALUE.state] ?? 0;

export function showScore({ title, players }: Score): void {
  setText(elementById('title', HTMLParagraphElement), title);
  const list = elementById('players', HTMLOListElement);
  while (list.childElementCount > players.length) list.lastElementChild?.remove();
  while (list.childElementCount < players.length) list.append(makeLine());
  players.forEach((player, index) => showLine(list.children[index] as HTMLLIElement, player));
}

export function clearScore(): void {
  showScore({ title: '', players: [] });
}

function makeLine(): HTMLLIElement {
  const line = make('li');
  line.append(make('span', 'name'), make('span', 'note'), make('span', 'score'));
  return line;
}

function showLine(line: HTMLLIElement, { seat, name, score, isOut, isOwn }: PlayerLine): void {
  const [nameCell, note, scoreCell] = line.children as unknown as HTMLElement[];
  line.style.setProperty('--color', COLORS[seat] ?? 'white');
  line.classList.toggle('own', isOwn);
  line.classList.toggle('out', isOut);
  if (nameCell === undefined || note === undefined || scoreCell === undefined) return;
  setText(nameCell, name);
  setText(note, [isOwn ? 'you' : '', isOut ? 'out' : ''].filter((text) => text !== '').join(', '));
  setText(scoreCell, String(score));
}
