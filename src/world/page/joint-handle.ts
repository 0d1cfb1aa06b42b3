/** Joints of a world, as the page has them. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { JOINT, type JointFields, type Kind } from '../shared/world-fields.js';
import { finite, integer, isSameSetting, notNegative, rotation, vector } from './checked-values.js';
import { JointType, type MotorModel } from './constants.js';
import type { ImpulseJoint, UnitImpulseJoint } from './impulse-joint.js';
import { limits } from './joint-data.js';
import type { Maker } from './make-handle.js';
import { defineSettings, type SettingMethods } from './setting-methods.js';
import type { Thing } from './page-contents.js';
import type { RigidBody } from './rigid-body.js';
import type { WorldLink } from './world-link.js';

/** The engine's settings of one motor. */
interface Motor {
  model: number;
  position: number;
  velocity: number;
  stiffness: number;
  damping: number;
  maxForce: number;
}

/** What was never set is −1. */
const NO_MOTOR: Motor = {
  model: -1,
  position: 0,
  velocity: 0,
  stiffness: -1,
  damping: -1,
  maxForce: -1,
};
export interface JointHandle extends SettingMethods<ImpulseJoint, typeof JOINT> {}

/** A joint, until it is removed and after. */
export class JointHandle implements ImpulseJoint {
  static readonly kind: Kind = 'joint';
  readonly handle: number;
  readonly #link: WorldLink;
  readonly #body1: RigidBody;
  readonly #body2: RigidBody;
  #fields: JointFields;
  #motor = NO_MOTOR;

  static {
    defineSettings(
      this.prototype,
      JOINT,
      (joint, { name }, value) => joint.set(name as keyof JointFields, value as never),
      (joint, name) => joint.#fields[name as keyof JointFields],
    );
  }

  constructor(
    link: WorldLink,
    handle: number,
    fields: JointFields,
    bodies: readonly [RigidBody, RigidBody],
  ) {
    this.#link = link;
    this.handle = handle;
    this.#fields = fields;
    [this.#body1, this.#body2] = bodies;
  }

  adopt(fields: JointFields): void {
    this.#fields = { ...fields };
    this.#motor = NO_MOTOR;
  }

  isValid(): boolean {
    return this.#link.has('joint', this);
  }

  body1(): RigidBody {
    return this.#body1;
  }

  body2(): RigidBody {
    return this.#body2;
  }

  type(): JointType {
    return this.#fields.type as JointType;
  }

  protected get limits(): ArrayLike<number> | undefined {
    return this.#fields.limits;
  }

  setLocalFrame1(anchor: Readonly<Vector>, turned: Readonly<Rotation>): void {
    const checked = [vector('anchor', anchor), rotation('rotation', turned)] as const;
    this.set('anchor1', checked[0]);
    this.set('frame1', checked[1]);
  }

  setLocalFrame2(anchor: Readonly<Vector>, turned: Readonly<Rotation>): void {
    const checked = [vector('anchor', anchor), rotation('rotation', turned)] as const;
    this.set('anchor2', checked[0]);
    this.set('frame2', checked[1]);
  }

  protected configure(settings: Partial<Motor>): void {
    this.#motor = { ...this.#motor, ...settings };
    const { model, position, velocity, stiffness, damping, maxForce } = this.#motor;
    this.set('motor', [model, position, velocity, stiffness, damping, maxForce]);
  }

  protected set<Name extends keyof JointFields>(
    name: Name,
    value: NonNullable<JointFields[Name]>,
  ): void {
    // Motors are often set in every frame.
    if (this.isValid() && isSameSetting(this.#fields[name], value)) return;
    const open = this.#link.change('joint', this);
    if (open === undefined) return;
    this.#fields[name] = value;
    open[name] = value;
  }
}

export class UnitJointHandle extends JointHandle implements UnitImpulseJoint {
  limitsEnabled(): boolean {
    return this.limits !== undefined;
  }

  limitsMin(): number {
    return this.limits?.[0] ?? Number.NEGATIVE_INFINITY;
  }

  limitsMax(): number {
    return this.limits?.[1] ?? Number.POSITIVE_INFINITY;
  }

  setLimits(min: number, max: number): void {
    this.set('limits', limits(min, max));
  }

  configureMotorVelocity(velocity: number, factor: number): void {
    this.configure(motorVelocity(velocity, factor));
  }

  configureMotorPosition(position: number, stiffness: number, damping: number): void {
    this.configure(motor(position, 0, stiffness, damping));
  }

  configureMotor(position: number, velocity: number, stiffness: number, damping: number): void {
    this.configure(motor(position, velocity, stiffness, damping));
  }

  configureMotorModel(model: MotorModel): void {
    this.configure({ model: integer('model', model, 0, 1) });
  }

  setMotorMaxForce(force: number): void {
    this.configure({ maxForce: notNegative('force', force) });
  }
}

/** Of a joint of any type. */
export const makeJoint: Maker<'joint'> = (link, handle, bodies, fields) => {
  const isUnit = fields.type === JointType.Revolute || fields.type === JointType.Prismatic;
  const Handle = isUnit ? UnitJointHandle : JointHandle;
  return new Handle(
    link,
    handle,
    fields,
    bodies as readonly Thing[] as readonly [RigidBody, RigidBody],
  );
};

/** Keeps the position, as the engine does. */
const motorVelocity = (velocity: number, factor: number): Partial<Motor> => ({
  velocity: finite('velocity', velocity),
  stiffness: 0,
  damping: notNegative('factor', factor),
});

const motor = (
  position: number,
  velocity: number,
  stiffness: number,
  damping: number,
): Partial<Motor> => ({
  position: finite('position', position),
  velocity: finite('velocity', velocity),
  stiffness: notNegative('stiffness', stiffness),
  damping: notNegative('damping', damping),
});
