/** Something outside the program keeps it from starting, and the message says all there is to know: nobody needs a stack trace. */
export class StartError extends Error {}
