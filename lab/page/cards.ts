/** A paragraph about each loop: where it comes from, and what goes wrong with it. */
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';
import { STEPPER_INFO, type StepperInfo } from '../engine/loops/stepper-info.js';
import { SIDE_NAMES } from './colours.js';
import { elementById, make } from '../../site/elements.js';

/**
 * The two on the stage first, then the others of the table in the order of history.
 */
export function showCards(
  stage: readonly [StepperKind, StepperKind],
  table: readonly StepperKind[],
): void {
  const others = STEPPER_KINDS.filter((kind) => table.includes(kind) && !stage.includes(kind));
  const kinds = [...new Set([...stage, ...others])];
  elementById('cards', HTMLDivElement).replaceChildren(...kinds.map((kind) => card(kind, stage)));
}

function card(kind: StepperKind, stage: readonly [StepperKind, StepperKind]): HTMLElement {
  const { title, rule, goesWrong } = STEPPER_INFO[kind];
  const article = make('article', 'card');
  const heading = make('h3');
  for (const [side, shown] of stage.entries()) {
    if (shown === kind) heading.append(make('span', `badge side-${side}`, SIDE_NAMES[side]), ' ');
  }
  heading.append(title, ' ', make('code', '', kind));
  const paragraph = make('p');
  paragraph.append(sourceOf(STEPPER_INFO[kind]), make('strong', '', rule), ` ${goesWrong}`);
  article.append(heading, paragraph);
  return article;
}

/** The loop's source; an article with an address opens in a new tab. */
function sourceOf({ source, article }: StepperInfo): HTMLElement {
  const element = make('span', 'source');
  if (article === undefined) {
    element.append(`${source}. `);
    return element;
  }
  const link = make('a', '', article.name);
  link.href = article.url;
  link.target = '_blank';
  link.rel = 'noopener';
  element.append(link, `${source.slice(article.name.length)}. `);
  return element;
}
