/// Thrown when the nesting may exceed the caller's stack.
struct TooDeep: Error {}
