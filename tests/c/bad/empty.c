//@ run: verify --memory sc
//@ expect: error
// Nothing but a comment.
