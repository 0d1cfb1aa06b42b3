/** Colors that go together in the light of an evening. */
export const WALLS = {
  ochre: 0xeab567,
  apricot: 0xe99a62,
  rose: 0xdb8570,
  cream: 0xf3dfb9,
  lemon: 0xf2d284,
  brick: 0xc96f4e,
  chalk: 0xf5ebd8,
} as const;
export const STONE = 0xcbb792;
export const PALE_STONE = 0xe6d8b8;
export const DARK_STONE = 0xa8946f;
export const PAVING = 0xd0b992;
export const TILES = [0xc0653d, 0xcf7645, 0xb0563a] as const;
export const WOOD = 0xa9774c;
export const DARK_WOOD = 0x7d583a;
export const IRON = 0x4a4540;
export const SHUTTERS = [0x4f8070, 0x47779a, 0x8f4a3c] as const;
export const GLASS = 0x33434d;
export const LIT = 0xffc766;
export const LEAVES = [0x6c9149, 0x84a052, 0x5b8250] as const;
export const CYPRESS = 0x4d7345;
export const FLOWERS = 0xd95a95;
export const WHITE = 0xf7f3ea;
