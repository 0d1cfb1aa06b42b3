import { JointAxis, JointData, RigidBodyDesc, createWorld } from 'betwixt/world';

const world = createWorld();
const [post, door, trunk, arm] = Array.from({ length: 4 }, () =>
  world.createRigidBody(RigidBodyDesc.dynamic()),
) as [never, never, never, never];

// #region limits
const hinge = world.createImpulseJoint(
  JointData.revolute({ x: 0.1, y: 0, z: 0 }, { x: -0.9, y: 0, z: 0 }, { x: 0, y: 1, z: 0 }),
  post,
  door,
  true,
);
hinge.setLimits(0, Math.PI / 2);

const shoulder = world.createImpulseJoint(
  JointData.spherical({ x: 0.2, y: 0.5, z: 0 }, { x: 0, y: 0.3, z: 0 })
    .setLimits(JointAxis.AngX, -1.2, 0.5)
    .setLimits(JointAxis.AngY, -0.3, 0.3)
    .setLimits(JointAxis.AngZ, -0.2, 1.5),
  trunk,
  arm,
  true,
);
// #endregion

// #region motors
hinge.configureMotorPosition(0, 20, 8); // closes the door
shoulder.configureMotorVelocity(JointAxis.AngX, 1, 5); // swings the arm
shoulder.setMotorMaxForce(JointAxis.AngX, 40); // in N m: what stops it
console.log(hinge.motor()?.position, shoulder.motor(JointAxis.AngX)?.maxForce);
// #endregion

// #region breaks
hinge.setBreakForce(500, 200); // in N and N m

world.on('broken', ({ joint, force }) => {
  if (joint === hinge) console.log(`the door broke off, by ${Math.round(force)} N`);
});
// #endregion
