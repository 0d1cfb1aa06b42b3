/** The lab's command as a process: `npm run lab -- …`. */
import { runLab } from './run.js';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', () => process.exit(0));
process.exitCode = runLab(process.argv.slice(2), process);
