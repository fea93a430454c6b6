import { MODEL_HEADER } from '../contact-model-header.js';

/**
 * What the proximity side hands to the contact solver: which features are near each other, as numbers in one array, so
 * that it can cross threads. Where the features are now, the solver works out for itself in every cycle.
 */
export type ProximityModel = Float64Array;

/** Of a record: index of the pair of bodies. */
export const RECORD_PAIR = 0;
/** Whose rotation the normal follows: 0 the pair's first body, 1 its second. */
export const RECORD_OWNER = 1;
/** Three surface vertices of the first body and their weights, then those of the second. −1 for none. */
export const RECORD_VERTICES = 2;
export const RECORD_WEIGHTS = 8;
/** Unit vector from the second body into the first, in the owner's frame. */
export const RECORD_NORMAL = 14;
/** The point on the second body, in its frame, as the surfaces were: where it has no vertices, it is there for good. */
export const RECORD_POINT = 17;
/** Two numbers that name the features from cycle to cycle. */
export const RECORD_KEY = 20;
/** The point on the first body, in its frame, as the surfaces were. */
export const RECORD_FIRST_POINT = 22;
const RECORD = 25;

/**
 * Room for more contacts than are solved, since which of them meet is seen when they are measured; and those that pressed
 * before must be among them, or others would be solved in every cycle, the force would tremble and what holds would walk.
 */
const CANDIDATES = 4;
const LEAST_CANDIDATES = 160;
/** The most that one pair of bodies may have of it. */
const PAIR_CANDIDATES = 2;
const LEAST_PAIR_CANDIDATES = 96;

export function candidateCount(contacts: number): number {
  return Math.max(CANDIDATES * contacts, LEAST_CANDIDATES);
}

export function pairCandidateCount(contacts: number): number {
  return Math.max(PAIR_CANDIDATES * contacts, LEAST_PAIR_CANDIDATES);
}

export function createProximityModel(capacity: number): ProximityModel {
  return new Float64Array(proximityModelSize(capacity));
}

export function proximityModelSize(count: number): number {
  return MODEL_HEADER + RECORD * count;
}

export function recordAt(index: number): number {
  return MODEL_HEADER + RECORD * index;
}
