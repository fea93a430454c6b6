import { fieldJobs, serveJobs } from '@palpable/engine';
import { portOfThisWorker } from './node-workers.js';

serveJobs(portOfThisWorker(), fieldJobs);
