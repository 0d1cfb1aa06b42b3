/** The lab's command as a process: `npm run lab`. */
import { runCommand } from '../../scripts/cli/run-command.js';
import { LAB } from './lab-command.js';
import { runLab } from './run.js';

process.exitCode = await runCommand(LAB, (args) => runLab(args, process));
