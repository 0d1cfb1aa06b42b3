/** The colours of all scenes: earth and sea, muted, so that light and motion are prominent. sRGB. */

export const COLOR = {
  /** Grounds. */
  chalk: 0xe9e4d8,
  stone: 0xcfc8b8,
  moss: 0xa9b394,
  /** Frames, masts and chains. */
  slate: 0x53606c,
  ink: 0x2e3a46,
  /** Things that move. */
  sand: 0xdcc39a,
  ochre: 0xd9a05b,
  clay: 0xc4785a,
  brick: 0xa9573f,
  sage: 0x8fa78a,
  pine: 0x4f7a6b,
  lagoon: 0x4a8a94,
  mist: 0xa9c1c8,
  rose: 0xcf9f93,
  /** Highlights. */
  signal: 0xe2603f,
} as const;

/** For mixed things. */
export const MIX = [
  COLOR.sand,
  COLOR.ochre,
  COLOR.clay,
  COLOR.sage,
  COLOR.pine,
  COLOR.lagoon,
  COLOR.mist,
  COLOR.rose,
] as const;

/** For wood and cardboard. */
export const WOOD = [COLOR.sand, COLOR.ochre, 0xcbb083, 0xc58f52] as const;
