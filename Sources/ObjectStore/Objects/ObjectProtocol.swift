/// A protocol for members that use `Self`, which a non-final class cannot declare.
nonisolated public protocol ObjectProtocol: ObjectBase {}

extension ObjectBase: ObjectProtocol {}
