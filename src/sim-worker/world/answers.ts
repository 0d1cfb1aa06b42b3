/** Answers what the page asks about a world, by calls of the engine. */
import type { BodyQuestions, QuestionName, Questions } from '../../shared/world/questions.js';
import type { AskedWorld } from './asked-world.js';
import { colliderAnswers } from './collider-answers.js';
import { worldAnswers } from './world-answers.js';

/** @param tick Returns the number of the last tick. */
export function answersOf(world: AskedWorld, tick: () => number) {
  const answers: Questions = {
    ...worldAnswers(world),
    ...colliderAnswers(world),
    ...bodyAnswers(world, tick),
  };
  // The page sends names and arguments of one question.
  return (name: string, args: readonly unknown[]): unknown =>
    (answers[name as QuestionName] as (...given: readonly unknown[]) => unknown)(...args);
}

const bodyAnswers = ({ bodies }: AskedWorld, tick: () => number): BodyQuestions => ({
  readBody(handle) {
    const body = bodies.get(handle);
    if (body === undefined) return null;
    return {
      tick: tick(),
      translation: body.translation(),
      rotation: body.rotation(),
      linvel: body.linvel(),
      angvel: body.angvel(),
      mass: body.mass(),
      principalInertia: body.principalInertia(),
      localCom: body.localCom(),
      worldCom: body.worldCom(),
      isSleeping: body.isSleeping(),
      isMoving: body.isMoving(),
    };
  },
});
