import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // By itself Vitest leaves one core alone, which on two is half of the machine.
          maxWorkers: '100%',
          // One load of the engines and the library for many files: a third of the time.
          isolate: false,
          include: ['tests/unit/**/*.test.ts'],
          environment: 'node',
          globals: false,
          retry: 0,
        },
      },
      {
        test: {
          name: 'threads',
          include: ['tests/threads/**/*.test.ts'],
          environment: 'node',
          globals: false,
          retry: 0,
          // These tests start threads of their own and watch the clock: one file at a time.
          maxWorkers: 1,
          testTimeout: 30_000,
        },
      },
    ],
  },
});
