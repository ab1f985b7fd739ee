/// Thrown where a payload or an object goes deeper than the caller's stack may hold.
struct TooDeep: Error {}
