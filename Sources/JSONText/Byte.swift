/// Names for the bytes with a meaning in JSON.
@usableFromInline
enum Byte {
  @inlinable @inline(__always) static var quote: UInt8 { 0x22 }
  @inlinable @inline(__always) static var comma: UInt8 { 0x2C }
  @inlinable @inline(__always) static var minus: UInt8 { 0x2D }
  @inlinable @inline(__always) static var point: UInt8 { 0x2E }
  @inlinable @inline(__always) static var slash: UInt8 { 0x2F }
  @inlinable @inline(__always) static var zero: UInt8 { 0x30 }
  @inlinable @inline(__always) static var colon: UInt8 { 0x3A }
  @inlinable @inline(__always) static var openBracket: UInt8 { 0x5B }
  @inlinable @inline(__always) static var backslash: UInt8 { 0x5C }
  @inlinable @inline(__always) static var closeBracket: UInt8 { 0x5D }
  @inlinable @inline(__always) static var lowerE: UInt8 { 0x65 }
  @inlinable @inline(__always) static var lowerU: UInt8 { 0x75 }
  @inlinable @inline(__always) static var openBrace: UInt8 { 0x7B }
  @inlinable @inline(__always) static var closeBrace: UInt8 { 0x7D }
}
