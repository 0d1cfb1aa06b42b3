/** The texts of the scenes, the most interesting first: for the menu, the page and the gallery of all examples. */

export interface SceneText {
  /** Name of its file in `scenes`. */
  readonly name: string;
  readonly title: string;
  /** A hint where to look, in one or two sentences. */
  readonly about: string;
  /** Whether it runs on `@react-three/rapier`, too. Default: true. */
  readonly hasPeer?: boolean;
}

export const SCENES: readonly SceneText[] = [
  {
    name: 'instanced-meshes',
    title: 'Instanced meshes',
    about:
      '2,000 bodies of all sizes, drawn as one mesh. Click one to remove it, and the ground to drop another.',
  },
  {
    name: 'town',
    title: 'Town',
    about:
      'One glTF file has the houses, the lift, the doors and the bridge. W, A, S and D walk, E jumps, a drag looks around, and a click throws a ball.',
    hasPeer: false,
  },
  {
    name: 'marble-race',
    title: 'Marble race',
    about: 'W, A, S and D roll the marble, and E has it jump if a ray finds the ground below it.',
  },
  {
    name: 'plinko',
    title: 'Plinko',
    about:
      'Balls, boxes and convex hulls fall through a board of pegs. Click the board for six more.',
  },
  {
    name: 'snapshot',
    title: 'Snapshot',
    about: 'Save the world, shoot at the tower, and restore it: everything is where it was.',
  },
  {
    name: 'ray-car',
    title: 'Car of rays',
    about:
      'W and S drive, A and D turn. Each of its four rays finds the ground, and a spring pushes.',
  },
  {
    name: 'third-person',
    title: 'Third person',
    about: 'W, A, S and D walk: onto the step, up to the wall, and against the crate. E jumps.',
  },
  {
    name: 'blast',
    title: 'Blast',
    about: 'E blasts the pile: all its boxes, small and large, fly at the same speed.',
  },
  { name: 'badge', title: 'Badge', about: 'A badge on three ropes. A and D tug at it.' },
  {
    name: 'kinematics',
    title: 'Kinematics',
    about:
      'A plate and a mill follow targets of every frame, a rotor keeps its velocity. Balls that fall below 10 m start again.',
  },
  {
    name: 'joints',
    title: 'Joints',
    about:
      'From the left: a chain whose handle moves, a door with limits, a piston with a motor, two boxes that are one, a rope, and a spring.',
  },
  {
    name: 'attractors',
    title: 'Attractors',
    about: 'Three attractors, whose force is the same, falls linearly, or follows Newton.',
  },
  {
    name: 'lift-truck',
    title: 'Lift truck',
    about: 'A and D drive, W and S move the fork: take the crate from its posts.',
  },
  { name: 'dragging', title: 'Dragging', about: 'Drag a box: it hangs on the pointer by a joint.' },
  {
    name: 'shooter',
    title: 'Shooter',
    about: 'A and D turn. E is a beam, which goes through friends, and F a bullet, which does not.',
  },
  {
    name: 'hover',
    title: 'Hover',
    about: 'W and S let the drone rise and sink, A and D push it to the sides.',
  },
  {
    name: 'collision-events',
    title: 'Collision events',
    about: 'Rings spread from the first point of each collision; a ball glows while it touches.',
  },
  {
    name: 'one-way-platform',
    title: 'One-way platform',
    about: 'Balls jump up through the platforms, which have the prop oneWay, and land on them.',
  },
  {
    name: 'sensors',
    title: 'Sensors',
    about: 'A hoop lights up while its sensor has a ball in it; the plate sends balls up again.',
  },
  {
    name: 'all-shapes',
    title: 'All shapes',
    about:
      'Rows from the back: boxes, balls, convex hulls and triangles as colliders of the same meshes. A ball rolls whatever it looks like.',
  },
  {
    name: 'manual-step',
    title: 'Manual step',
    about: 'The world is paused, and advances when a button says so. The hooks count its steps.',
  },
];
