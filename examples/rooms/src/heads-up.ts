/** The title and the list of players. */
import { elementById, make, setText } from '../../../site/common/elements.js';
import { COLORS } from './colors.js';
import type { PlayerLine, Score } from './score.js';

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
