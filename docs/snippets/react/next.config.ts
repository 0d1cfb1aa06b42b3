const isolation = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
];

const config = {
  headers: async () => [{ source: '/:path*', headers: isolation }],
};

export default config;
