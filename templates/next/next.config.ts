/** With these, page and worker are isolated from other origins, and may share memory. */
const isolation = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
];

const config = {
  headers: async () => [{ source: '/:path*', headers: isolation }],
  // Where CodeSandbox shows the app.
  allowedDevOrigins: ['*.csb.app'],
};

export default config;
