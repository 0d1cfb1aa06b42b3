/** A paragraph about each loop: where it comes from, and what goes wrong with it. */
import { STEPPER_INFO } from '../../src/shared/steppers/stepper-info.js';
import { STEPPER_KINDS, type StepperKind } from '../../src/shared/steppers/stepper.js';
import { SIDE_NAMES } from './colours.js';
import { elementById, make } from './elements.js';

/** The two on the stage first, then the others of the table in the order of history. */
export function showCards(
  stage: readonly [StepperKind, StepperKind],
  table: readonly StepperKind[],
): void {
  const others = STEPPER_KINDS.filter((kind) => table.includes(kind) && !stage.includes(kind));
  const kinds = [...new Set([...stage, ...others])];
  elementById('cards', HTMLDivElement).replaceChildren(...kinds.map((kind) => card(kind, stage)));
}

function card(kind: StepperKind, stage: readonly [StepperKind, StepperKind]): HTMLElement {
  const { title, source, rule, goesWrong } = STEPPER_INFO[kind];
  const article = make('article', 'card');
  const heading = make('h3');
  for (const [side, shown] of stage.entries()) {
    if (shown === kind) heading.append(make('span', `badge side-${side}`, SIDE_NAMES[side]), ' ');
  }
  heading.append(title, ' ', make('code', '', kind));
  const paragraph = make('p');
  paragraph.append(
    make('span', 'source', `${source}. `),
    make('strong', '', rule),
    ` ${goesWrong}`,
  );
  article.append(heading, paragraph);
  return article;
}
