/** The numbers that a character publishes with each state, by their places. A handle takes two. */
export const CHARACTER_VALUES = { isGrounded: 0, ground: 1, x: 3, y: 4, z: 5 } as const;

/** How many they are. */
export const CHARACTER_VALUE_COUNT = 6;
