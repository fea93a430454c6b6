/**
 * How every block of numbers begins that a contact side hands to the haptic side of its method, within a thread or from
 * one to another. What follows is the method's own business.
 */

/** Grows with every new model. */
export const MODEL_SEQUENCE = 0;
/** Time of the state that it was made for, s. */
export const MODEL_TIME = 1;
/** Contacts that were found, before they were joined or thinned. */
export const MODEL_FOUND = 2;
/** Records that follow: clusters of contacts, or pairs of features. */
export const MODEL_COUNT = 3;
/** Depth of the deepest contact, m; 0 without any. */
export const MODEL_DEPTH = 4;
/** Bits of the caps that the search met. */
export const MODEL_CAPPED = 5;
/** Microseconds that finding the contacts took; 0 without a clock. */
export const MODEL_FIND_US = 6;
/** Numbers of the header. */
export const MODEL_HEADER = 8;
