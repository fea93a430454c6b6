/** One of the threads that `buildField` shares its work among. */
import { fieldJobs, serveJobs } from '@palpable/engine/advanced';
import { portOfThisWorker } from './browser-workers.js';

serveJobs(portOfThisWorker(), fieldJobs);
