/** A worker script that does not survive its own evaluation. */
throw new Error('no luck at load');
